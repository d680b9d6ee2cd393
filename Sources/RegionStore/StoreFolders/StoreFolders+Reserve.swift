import Glibc
import PeerStorage

/// The reserved disk space of a store, which is a file without content.
///
/// SQLite writes to its log before it frees space. Without the reserve, no region could be removed from a full disk.
extension StoreFolders {
    static let reserveName = "reserve"

    /// Reserves space, at most an eighth of the free space.
    ///
    /// Errors are ignored.
    func keepReserve() {
        guard let file = try? root.openFile(Self.reserveName, O_RDWR | O_CREAT), let status = try? file.status(),
            status.allocatedSize < reserveSize, let space = try? root.space()
        else { return }
        let size = min(reserveSize, space.available / 8)
        guard status.allocatedSize < size else { return }
        _ = try? SystemCall.perform(.resize, file.path, file.faults) {
            // The function returns the error instead of setting errno.
            let number = posix_fallocate(file.descriptor, 0, off_t(clamping: size))
            if number != 0 { errno = number }
            return number == 0 ? 0 : -1
        }
    }

    /// Releases the reserve if there is little free space.
    func spendReserve() {
        guard let space = try? root.space(), space.available < reserveSize else { return }
        try? root.removeFile(Self.reserveName)
    }
}
