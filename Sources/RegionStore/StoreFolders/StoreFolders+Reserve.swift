import Glibc
import PeerStorage

/// Room that a store keeps for itself, as a file without content.
///
/// SQLite writes to its log before it frees anything. So on a full disk a region could not be removed, which is the way to
/// make room. The reserve is given up for that.
extension StoreFolders {
    static let reserveName = "reserve"

    /// Reserves room, at most an eighth of what is free; not worth failing for.
    func keepReserve() {
        guard let file = try? root.openFile(Self.reserveName, O_RDWR | O_CREAT), let status = try? file.status(),
            status.allocatedSize < reserveSize, let space = try? root.space()
        else { return }
        let size = min(reserveSize, space.available / 8)
        guard status.allocatedSize < size else { return }
        _ = try? SystemCall.perform(.resize, file.path, file.faults) {
            // It returns the error instead of setting it.
            let number = posix_fallocate(file.descriptor, 0, off_t(clamping: size))
            if number != 0 { errno = number }
            return number == 0 ? 0 : -1
        }
    }

    /// Gives the reserve up if there is little room beside it.
    func spendReserve() {
        guard let space = try? root.space(), space.available < reserveSize else { return }
        try? root.removeFile(Self.reserveName)
    }
}
