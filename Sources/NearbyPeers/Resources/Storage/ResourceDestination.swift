public import FoundationEssentials

/// The place where a received resource is stored.
///
/// Existing files are never replaced. A file appears under its name only when it is complete, verified and on the disk.
public enum ResourceDestination: Hashable, Sendable {
    /// A file, which must not exist yet, in an existing folder.
    case file(URL)

    /// A new file in an existing folder.
    ///
    /// The name is made from the name in the offer, and is safe whatever the other side has sent: it has no path separators, no
    /// invisible characters, no dot at the start, and at most 200 bytes of UTF-8. If the name is taken, the file gets a number,
    /// as in `Tour (2).gpx`.
    case folder(URL)

    /// Memory for at most this number of bytes; a larger resource is refused before memory is allocated.
    case memory(limit: Int)
}

/// Where the received parts of incomplete files are kept, how long, and how much of them.
///
/// See <doc:SendingFiles> for an example.
public struct PartialResources: Hashable, Sendable {
    /// The folder; it is created in an existing folder.
    public var folder: URL
    /// How long a part is kept after the last write; it is removed a week after it was found to be older.
    public var lifetime: Duration
    /// The maximum number of bytes of all parts, without those of running transfers; of a larger file, no part is kept.
    public var maximumSize: UInt64

    /// Creates the settings.
    public init(in folder: URL, lifetime: Duration = .seconds(30 * 86_400), maximumSize: UInt64 = .max) {
        self.folder = folder
        self.lifetime = lifetime
        self.maximumSize = maximumSize
    }
}

/// A resource that was received.
public enum ReceivedResource: Hashable, Sendable {
    /// The resource is in this file.
    case file(URL)

    /// The bytes of the resource.
    case bytes(Data)
}
