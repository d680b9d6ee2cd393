import Glibc
import MapFiles
import PeerStorage
import RegionModel

/// The room on a disk, before something large is written.
enum DiskSpace {
    /// Checks that a disk has room for some bytes, and that its reserve stays free.
    ///
    /// - Parameters:
    ///   - need: The number of bytes.
    ///   - space: The free bytes of the disk, and all of them.
    ///   - remedy: What to do if there is no room.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if there is no room.
    static func check(_ need: UInt64, of space: (available: UInt64, total: UInt64), remedy: String) throws {
        let reserve = DiskReserve.size(ofDiskWith: space.total)
        guard need > 0, space.available < reserve || space.available - reserve < need else { return }
        throw RegionStoreError(
            .storage,
            "Not enough disk space: this needs \(megabytes(need + reserve)) free "
                + "(\(megabytes(reserve)) stays in reserve); \(megabytes(space.available)) available.",
            remedy: remedy
        )
    }

    private static func megabytes(_ bytes: UInt64) -> String {
        "\((bytes + 999_999) / 1_000_000) MB"
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
