import PeerStorage
import Synchronization

/// A private folder of a transfer, an import or an offer.
///
/// The folder is locked until the object is released, and then removed. A request to stop the process removes it, too; workspaces of
/// processes that were terminated in another way are removed later.
final class StoreWorkspace: Sendable {
    let name: String
    let folder: Folder
    private let parent: Folder
    private let lock: FileLock
    private let isRemoved = Atomic(false)

    init(name: String, parent: Folder, folder: Folder, lock: FileLock) {
        self.name = name
        self.parent = parent
        self.folder = folder
        self.lock = lock
        UnfinishedFiles.add(workspace: parent.path(of: name))
    }

    deinit {
        remove()
        UnfinishedFiles.finish(workspace: parent.path(of: name))
    }

    /// Removes the folder with everything in it.
    func remove() {
        // Once: another transfer may have a folder of the same name afterwards.
        guard !isRemoved.exchange(true, ordering: .relaxed) else { return }
        // If this fails, the folder is removed when the store is next opened.
        try? parent.removeFolder(name, withFolders: true)
    }
}
