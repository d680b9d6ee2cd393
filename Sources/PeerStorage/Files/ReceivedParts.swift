import Glibc
package import PeerProtocol

/// The received parts of incomplete files, each in a folder of its own.
///
/// The name of a part's folder is the digest and the size of the complete file. So any peer can supply the rest, under any name,
/// and a false size leads to another folder.
///
/// Two locks protect a part. A transfer holds the lock of its part, exclusively. The lock of all parts is shared while a part is
/// opened, and exclusive while parts are listed or collected: a look at a part locks it briefly, and a transfer that opens it at
/// this moment could not resume.
package struct ReceivedParts: Sendable {
    /// The received part of a file, as a transfer that begins now would find it.
    package enum Found {
        /// A running transfer is using it.
        case inUse
        /// It can be read.
        case kept(OpenFile)
        /// There is none.
        case none
    }

    // A clock that is wrong can be set right before it costs a part.
    /// How long a part is kept after it was marked as old, in seconds.
    private static let grace = 7 * 86_400
    /// The maximum time by which a clock may be ahead, in seconds.
    private static let tolerance = 86_400

    /// The folder of the parts.
    package let folder: Folder
    private let lockFolder: Folder
    private let isForPeople: Bool
    private let lifetime: Int
    private let maximumLength: UInt64

    /// Creates a value for the parts in a folder.
    ///
    /// - Parameters:
    ///   - isForPeople: Whether complete files leave the storage and belong to people. Such a file is never written to again,
    ///     and the umask decides who may read it.
    ///   - lifetime: How long a part is kept after the last write. It is removed a week after it was found to be older.
    ///   - maximumLength: The maximum number of bytes of all unused parts. Of a larger file, no part is kept.
    package init(
        in folder: Folder,
        lockedIn lockFolder: Folder,
        isForPeople: Bool,
        lifetime: Duration,
        maximumLength: UInt64 = .max
    ) {
        self.folder = folder
        self.lockFolder = lockFolder
        self.isForPeople = isForPeople
        self.lifetime = max(0, Int(clamping: lifetime.components.seconds))
        self.maximumLength = maximumLength
    }

    /// Returns the name of the folder of a part.
    package static func name(_ digest: ContentDigest, size: UInt64) -> String { "\(digest.hex)-\(size)" }

    /// Opens the received part of a file, or creates it.
    ///
    /// - Parameters:
    ///   - entry: The file.
    ///   - note: What the application keeps beside the bytes, at most 64 KiB; nil for nothing.
    /// - Returns: The part; nil if another transfer is using it, or if the file is larger than the limit.
    /// - Throws: ``SystemError``.
    package func open(_ entry: ManifestEntry, note: [UInt8]? = nil) throws(SystemError) -> ReceivedPart? {
        guard entry.size <= maximumLength else { return nil }
        let all = try lock(.shared)
        defer { withExtendedLifetime(all) {} }
        do throws(SystemError) {
            let name = Self.name(entry.digest, size: entry.size)
            return try ReceivedPart(name, in: folder, isForPeople: isForPeople, note: note)
        } catch  where error.number == ENOENT {
            // Another transfer has just removed it.
            return nil
        }
    }

    /// Returns the space that the received part of a file occupies, in bytes.
    package func size(of entry: ManifestEntry) -> UInt64 {
        guard let part = try? folder.folder(Self.name(entry.digest, size: entry.size)), let status = bytes(part)?.status
        else { return 0 }
        return min(status.size, status.allocatedSize)
    }

    /// Opens the received part of a file for reading, without changing it; nil if there is none.
    ///
    /// A transfer may be writing to it.
    package func read(_ entry: ManifestEntry) -> OpenFile? {
        guard let part = try? folder.folder(Self.name(entry.digest, size: entry.size)), let bytes = bytes(part),
            bytes.status.size == entry.size
        else { return nil }
        return bytes.file
    }

    /// Opens the received part of a file for reading, if no transfer is using it.
    package func find(_ entry: ManifestEntry) throws(SystemError) -> Found {
        guard size(of: entry) > 0 else { return .none }
        let all = try lock(.exclusive)
        defer { withExtendedLifetime(all) {} }
        guard let part = try? folder.folder(Self.name(entry.digest, size: entry.size)), let file = read(entry)
        else { return .none }
        return isInUse(part) ? .inUse : .kept(file)
    }

    /// Returns the folders of all parts.
    package func all() throws(SystemError) -> [(digest: ContentDigest, folder: Folder, isInUse: Bool)] {
        let all = try lock(.exclusive)
        defer { withExtendedLifetime(all) {} }
        return try folder.names().compactMap { name in
            guard let digest = Self.digest(inName: name), let part = try? folder.folder(name) else { return nil }
            return (digest, part, isInUse(part))
        }
    }

    /// Removes the received part of a file; returns false if a transfer is using it.
    package func discard(_ digest: ContentDigest, size: UInt64) throws(SystemError) -> Bool {
        let all = try lock(.shared)
        defer { withExtendedLifetime(all) {} }
        return try folder.removeUnusedFolder(Self.name(digest, size: size))
    }

    /// Calls ``collect(roomFor:where:)`` unless another process has the lock of all parts.
    package func removeOld(roomFor length: UInt64) {
        guard let all = try? FileLock(trying: FileLock.name, in: lockFolder, .exclusive) else { return }
        collect(roomFor: length) { _ in false }
        withExtendedLifetime(all) {}
    }

    /// Removes the parts that have expired or are not needed, then the oldest ones beyond the limit.
    ///
    /// Parts that are in use or cannot be removed stay until the next time. To be called with the exclusive lock of all parts.
    ///
    /// - Parameters:
    ///   - length: The number of bytes for which there must be room within the limit.
    ///   - isUnneeded: Whether the part of the file with this digest is not needed.
    package func collect(roomFor length: UInt64 = 0, where isUnneeded: (ContentDigest) -> Bool) {
        var kept: [(name: String, status: FileStatus)] = []
        for name in (try? folder.names()) ?? [] {
            let digest = Self.digest(inName: name)
            // In the folder of a store, nothing but parts has a use. In that of an application, its own folders may be.
            if digest == nil, isForPeople { continue }
            _ = try? folder.removeUnusedFolder(name) { part in
                guard let digest, let status = bytes(part)?.status, !hasExpired(status, in: part), !isUnneeded(digest)
                else { return true }
                kept.append((name, status))
                return false
            }
        }
        // Of a file beyond the limit, no part is kept, so it needs no room.
        var room = maximumLength - (length <= maximumLength ? length : 0)
        // The newest parts stay: their transfers are the most likely to be resumed.
        for (name, status) in kept.sorted(by: { $0.status.modifiedAt > $1.status.modifiedAt }) {
            if status.allocatedSize <= room {
                room -= status.allocatedSize
            } else {
                _ = try? folder.removeUnusedFolder(name)
            }
        }
    }

    /// Reads the digest in the name of a folder; nil if the folder is not one of a part.
    private static func digest(inName name: String) -> ContentDigest? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, UInt64(parts[1]) != nil else { return nil }
        return ContentDigest(hex: parts[0])
    }

    /// Waits for the lock of all parts; nil on a disk that cannot be written, where no transfer uses a part.
    private func lock(_ mode: FileLock.Mode) throws(SystemError) -> FileLock? {
        do throws(SystemError) {
            return try FileLock(FileLock.name, in: lockFolder, mode)
        } catch  where error.deniesWriting {
            return nil
        }
    }

    /// Opens the bytes of a part; nil if there are none that a transfer could use.
    private func bytes(_ part: Folder) -> (file: OpenFile, status: FileStatus)? {
        // A file without received bytes has only holes. A file for people that has another name is at its destination.
        guard let file = try? part.openFile(ReceivedPart.dataName, O_RDONLY | O_NONBLOCK),
            let status = try? file.status(), status.kind == .regular, status.allocatedSize > 0,
            !isForPeople || status.linkCount == 1
        else { return nil }
        return (file, status)
    }

    /// Returns whether a transfer is using a part; needs the exclusive lock of all parts.
    private func isInUse(_ part: Folder) -> Bool {
        do throws(SystemError) {
            return try FileLock(trying: FileLock.name, in: part, .exclusive) == nil
        } catch {
            // On a read-only disk, nothing arrives.
            return !error.deniesWriting
        }
    }

    /// Returns whether a part has expired.
    ///
    /// The time of the last write is not enough, because the clock may have been wrong then or may be wrong now. So an old part is
    /// first marked, and expires when the mark is old too.
    private func hasExpired(_ status: FileStatus, in part: Folder) -> Bool {
        let now = time(nil)
        let mark = try? part.openFile(ReceivedPart.expiryName, O_RDONLY | O_NONBLOCK).status()
        if (0...lifetime).contains(Self.age(status.modifiedAt, at: now)) {
            if mark != nil { try? part.removeFile(ReceivedPart.expiryName) }
            return false
        }
        if let mark, Self.age(mark.modifiedAt, at: now) >= 0 { return Self.age(mark.modifiedAt, at: now) > Self.grace }
        // There is no mark, or it was written while the clock was ahead.
        try? part.removeFile(ReceivedPart.expiryName)
        _ = try? part.createFile(ReceivedPart.expiryName)
        return false
    }

    /// Returns the age of a time, in seconds; -1 if it is in the future.
    private static func age(_ time: Int, at now: Int) -> Int {
        let (age, overflow) = now.subtractingReportingOverflow(time)
        if overflow { return time < now ? .max : -1 }
        return age < -tolerance ? -1 : max(0, age)
    }
}
