public import FoundationEssentials

/// A resource that was received.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ReceivedResource: Hashable, Sendable {
    /// The resource is in this file.
    case file(path: String)

    /// The bytes of the resource.
    case bytes(Data)
}

/// Where the received parts of incomplete files are kept, how long, and how much of them.
///
/// See <doc:SendingFiles> for an example.
public struct PartialResources: Hashable, Sendable {
    /// The path of the folder, which is created in an existing folder.
    public var folder: String
    /// How long a part is kept after the last write; it is removed a week after it was found to be older.
    public var lifetime: Duration
    /// The maximum number of bytes of all parts, without those of running transfers; of a larger file, no part is kept.
    public var maximumSize: UInt64

    /// Creates the settings.
    public init(in folder: String, lifetime: Duration = .seconds(30 * 86_400), maximumSize: UInt64 = .max) {
        self.folder = folder
        self.lifetime = lifetime
        self.maximumSize = maximumSize
    }
}
