import Glibc
import PeerStorage

extension PartialFile {
    /// A file that says since when a partial one has looked old.
    static let expiryName = "expiry"

    /// How long a partial file is kept after its last byte came, in seconds.
    private static let lifetime = 30 * 86_400

    /// How long it is kept after it was first found to be that old, in seconds.
    private static let grace = 7 * 86_400

    /// How far a time may be ahead, in seconds.
    private static let tolerance = 86_400

    /// Says whether a folder holds no partial file, or one that no transfer has asked for in a long time.
    ///
    /// One look is not enough: the clock may have been wrong when the last byte came, or be wrong now. So a file that looks
    /// old is marked, and expires when the mark is old, too.
    static func hasExpired(in folder: Folder, at now: Int = time(nil)) -> Bool {
        guard let status = try? folder.openFile(dataName, O_RDONLY).status() else { return true }
        // One in which nothing has arrived yet has holes only.
        if status.allocatedSize == 0 { return true }
        let mark = try? folder.openFile(expiryName, O_RDONLY).status()
        if (0...lifetime).contains(age(status.modifiedAt, at: now)) {
            if mark != nil { try? folder.removeFile(expiryName) }
            return false
        }
        if let mark, age(mark.modifiedAt, at: now) >= 0 { return age(mark.modifiedAt, at: now) > grace }
        // There is none, or it was made by a clock that was ahead.
        try? folder.removeFile(expiryName)
        _ = try? folder.createFile(expiryName)
        return false
    }

    /// Returns how long ago a time was, in seconds; -1 if it is ahead of the clock.
    private static func age(_ time: Int, at now: Int) -> Int {
        let (age, overflow) = now.subtractingReportingOverflow(time)
        if overflow { return time < now ? .max : -1 }
        return age < -tolerance ? -1 : max(0, age)
    }
}
