import CoreFoundation
import Glibc
// Where the compiler finds `timespec` depends on the order of a target's files.
import PeerStorage

/// Shows whether a file was written to since its content was verified.
///
/// The change time (`ctime`) is not part of the stamp, because every link to the file changes it.
struct FileStamp: Hashable, Sendable {
    /// The inode number.
    var number: Int64

    /// The time of the last modification, in nanoseconds since 1970.
    var modifiedAt: Int64
}

extension OpenFile {
    /// Returns the current stamp of the file; nil if it cannot be read.
    func currentStamp() -> FileStamp? {
        guard let status = try? status() else { return nil }
        return FileStamp(number: Int64(bitPattern: status.number), modifiedAt: status.modifiedNanoseconds)
    }

    /// Returns a stamp that every later write invalidates; nil if the file system does not support one.
    ///
    /// Two writes within one tick of a file system's clock leave the same time. So a file that was just written gets an earlier
    /// time, which no later write leaves.
    func stamp() -> FileStamp? {
        if let stamp = settledStamp() { return stamp }
        guard let passed = Self.lastTick() else { return nil }
        let times = [timespec(tv_sec: 0, tv_nsec: Self.leaveAsItIs), passed]
        let isSet = (try? SystemCall.perform(.setTime, path, faults) { futimens(descriptor, times) }) != nil
        return isSet ? currentStamp() : nil
    }

    /// Returns the current stamp if every later write changes it; nil if the file was just written.
    ///
    /// Unlike ``stamp()``, it changes nothing.
    func settledStamp() -> FileStamp? {
        guard let passed = Self.lastTick(), let stamp = currentStamp() else { return nil }
        let isSettled = stamp.modifiedAt <= Int64(passed.tv_sec) &* 1_000_000_000 &+ Int64(passed.tv_nsec)
        return isSettled ? stamp : nil
    }

    /// Returns the time before the last tick; nil if there is no clock.
    private static func lastTick() -> timespec? {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        return timespec(tv_sec: now.tv_sec - longestTick, tv_nsec: now.tv_nsec)
    }

    /// The tick of the coarsest clock, that of FAT, in seconds.
    private static let longestTick = 2

    /// Linux's `UTIME_OMIT`, which the importer leaves out.
    private static let leaveAsItIs = (1 << 30) - 2
}
