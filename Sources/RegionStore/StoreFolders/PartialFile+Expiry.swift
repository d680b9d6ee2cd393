import Glibc
import PeerStorage

extension PartialFile {
    /// The name of the mark that shows since when a partial file has been considered old.
    static let expiryName = "expiry"

    /// The time for which a partial file is kept after the last write, in seconds.
    private static let lifetime = 30 * 86_400

    /// The time for which it is kept after it was marked as old, in seconds.
    private static let grace = 7 * 86_400

    /// The maximum time by which a clock may be ahead, in seconds.
    private static let tolerance = 86_400

    /// Returns whether the partial file in a folder has expired, or does not exist.
    ///
    /// The time of the last write is not enough, because the clock may have been wrong then or may be wrong now. So an old
    /// file is first marked, and expires when the mark is old too.
    static func hasExpired(in folder: Folder, at now: Int = time(nil)) -> Bool {
        guard let status = try? folder.openFile(dataName, O_RDONLY).status() else { return true }
        // A file without received bytes has only holes.
        if status.allocatedSize == 0 { return true }
        let mark = try? folder.openFile(expiryName, O_RDONLY).status()
        if (0...lifetime).contains(age(status.modifiedAt, at: now)) {
            if mark != nil { try? folder.removeFile(expiryName) }
            return false
        }
        if let mark, age(mark.modifiedAt, at: now) >= 0 { return age(mark.modifiedAt, at: now) > grace }
        // There is no mark, or it was written while the clock was ahead.
        try? folder.removeFile(expiryName)
        _ = try? folder.createFile(expiryName)
        return false
    }

    /// Returns the age of a time, in seconds; -1 if it is in the future.
    private static func age(_ time: Int, at now: Int) -> Int {
        let (age, overflow) = now.subtractingReportingOverflow(time)
        if overflow { return time < now ? .max : -1 }
        return age < -tolerance ? -1 : max(0, age)
    }
}
