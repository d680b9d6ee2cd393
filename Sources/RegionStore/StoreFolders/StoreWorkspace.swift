/// A private folder for files that are not a region's yet, or that must stay although they are no longer.
///
/// It is locked as long as somebody holds it. What a process leaves behind when it dies is collected later.
final class StoreWorkspace: Sendable {
    let name: String
    let folder: Folder
    private let parent: Folder
    private let lock: FileLock

    init(name: String, parent: Folder, folder: Folder, lock: FileLock) {
        self.name = name
        self.parent = parent
        self.folder = folder
        self.lock = lock
    }

    /// Removes the folder with everything in it.
    func remove() {
        // What cannot be removed now is collected when the store is opened again.
        try? parent.removeFolder(name)
    }
}
