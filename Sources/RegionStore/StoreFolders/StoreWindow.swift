import Glibc
import PeerStorage
import RegionModel

/// The place of the one window on a store, so that a second start of the program shows the window that is there.
///
/// It is held until the object is released or the process ends.
package final class StoreWindow: Sendable {
    /// What a program finds that wants to be the window of a store.
    package enum Claim: Sendable {
        case first(StoreWindow)
        /// The window is at this address.
        case elsewhere(String)
        /// Another program has the place, and no address yet, or no longer.
        case busy
    }

    private static let name = "window"
    private static let maximumLength = 1000

    private let file: OpenFile
    private let lock: FileLock

    private init(file: OpenFile, lock: FileLock) {
        self.file = file
        self.lock = lock
    }

    fileprivate static func claim(in folder: Folder) throws(SystemError) -> Claim {
        // Only the user can read it: the address has a secret.
        let file = try folder.openFile(name, O_RDWR | O_CREAT)
        if let lock = try FileLock(trying: file, .exclusive) {
            // A program that was killed has left its address.
            try file.resize(to: 0)
            return .first(StoreWindow(file: file, lock: lock))
        }
        let address = String(decoding: try file.prefix(maximumLength), as: UTF8.self)
        // An address that is not written completely has no line feed.
        return address.hasSuffix("\n") ? .elsewhere(String(address.dropLast())) : .busy
    }

    /// Says where the window is.
    ///
    /// - Throws: `SystemError` if the disk does not take it.
    package func note(_ address: String) throws { try file.write(Array("\(address)\n".utf8)) }

    deinit {
        // Before the lock is released: at an address that is found, there must be a window.
        try? file.resize(to: 0)
    }
}

extension RegionStore {
    /// Tries to become the window of this store.
    package func claimWindow() throws -> StoreWindow.Claim {
        try RegionStoreError.mapping("opened", "The store") { try StoreWindow.claim(in: folders.root) }
    }
}
