import Glibc
import MapFiles
import PeerStorage
import RegionModel

/// The room on a disk, before something large is written.
enum DiskSpace {
    /// Checks that a disk has room for some bytes, and that its reserve stays free.
    ///
    /// - Parameter need: The number of bytes.
    static func check(_ need: UInt64, of space: (available: UInt64, total: UInt64), remedy: String) throws {
        let reserve = DiskReserve.size(ofDiskWith: space.total)
        guard need > 0, space.available < reserve || space.available - reserve < need else { return }
        let (sum, isTooLarge) = need.addingReportingOverflow(reserve)
        throw RegionStoreError(
            .storage,
            "Not enough disk space: this needs \(size(isTooLarge ? .max : sum)) free "
                + "(\(size(reserve)) stays in reserve); \(size(space.available)) available.",
            remedy: remedy
        )
    }

    /// A size, rounded up: `78 MB`, `1.4 GB`.
    private static func size(_ bytes: UInt64) -> String {
        guard bytes > 999_000_000 else { return "\((bytes + 999_999) / 1_000_000) MB" }
        let tenths = bytes / 100_000_000 + (bytes % 100_000_000 == 0 ? 0 : 1)
        return "\(tenths / 10).\(tenths % 10) GB"
    }
}

extension Folder {
    /// Returns a function that checks, before pieces of a file are written, that the disk keeps its reserve, and that the
    /// task is not cancelled.
    func spaceCheck() -> WriteCheck {
        let interval: UInt64 = 16 << 20
        var (written, next) = (UInt64(0), UInt64(0))
        return { count throws(SystemError) in
            // The file is not needed any more.
            guard !Task.isCancelled else { throw SystemError(number: ECANCELED) }
            written += UInt64(clamping: count)
            guard written >= next else { return }
            next = written + interval
            let (available, total) = try self.space()
            guard available >= DiskReserve.size(ofDiskWith: total) + interval else { throw SystemError(number: ENOSPC) }
        }
    }
}
