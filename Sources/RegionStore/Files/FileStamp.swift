import CoreFoundation
import Glibc
// Where the compiler finds `timespec` depends on the order of a target's files.
import PeerStorage

/// What tells that a file has not been written to since its content was verified.
///
/// When its status changed last is no part of it: that is whenever a link to it comes or goes, as for every transfer.
struct FileStamp: Hashable, Sendable {
    /// The number that the file system knows the file by.
    var number: Int64

    /// When it was written last, in nanoseconds since 1970.
    var modifiedAt: Int64
}

extension OpenFile {
    /// Returns the stamp that the file has now; nil if that cannot be found out.
    func currentStamp() -> FileStamp? {
        guard let status = try? status() else { return nil }
        return FileStamp(number: Int64(bitPattern: status.number), modifiedAt: status.modifiedNanoseconds)
    }

    /// Returns a stamp that the file loses as soon as somebody writes to it; nil if the file system cannot give it one.
    ///
    /// File systems have coarse clocks: two writes in one tick leave the same time. So a file that was just written gets a
    /// time that has passed already, which no write leaves any more.
    func stamp() -> FileStamp? {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0, let stamp = currentStamp() else { return nil }
        let passed = timespec(tv_sec: now.tv_sec - Self.longestTick, tv_nsec: now.tv_nsec)
        guard stamp.modifiedAt > Int64(passed.tv_sec) &* 1_000_000_000 &+ Int64(passed.tv_nsec) else { return stamp }
        let times = [timespec(tv_sec: 0, tv_nsec: Self.leaveAsItIs), passed]
        let isSet = (try? SystemCall.perform(.setTime, path, faults) { futimens(descriptor, times) }) != nil
        return isSet ? currentStamp() : nil
    }

    /// The coarsest clock of a file system, FAT's, in seconds.
    private static let longestTick = 2

    /// Linux's `UTIME_OMIT`, which the importer leaves out.
    private static let leaveAsItIs = (1 << 30) - 2
}
