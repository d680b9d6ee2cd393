/// The bounds that a peer cannot exceed.
///
/// Every length is checked against one of them before anything is allocated or awaited. (Wire format, "Limits".)
public struct ProtocolLimits: Hashable, Sendable {
    /// The longest control frame's payload, in bytes.
    public var maximumControlLength = 64 * 1024

    /// The longest manifest, in bytes.
    public var maximumManifestLength = 1024 * 1024

    /// The longest catalogue, in bytes.
    public var maximumCatalogueLength = 256 * 1024

    /// The most offers in a catalogue.
    public var maximumCatalogueCount = 200

    /// The most resources in a manifest.
    public var maximumResourceCount = 32

    /// The largest resource, and the most that a manifest may list in all, in bytes.
    public var maximumResourceSize = ChunkLayout.maximumSize

    /// The most bytes of a resource in one data frame.
    public var maximumDataLength = 1024 * 1024

    /// The most pieces in a list.
    public var maximumPieceCount = 16_384

    /// The longest name of an application, in bytes (RFC 6763, section 7.2).
    public var maximumApplicationNameLength = 15

    /// The longest display name, in UTF-8 bytes.
    public var maximumDisplayNameLength = 63

    /// The longest text for people in a frame (a reason, a message, a remedy), in UTF-8 bytes.
    public var maximumTextLength = 1000

    /// The longest context of an invitation, in bytes.
    public var maximumContextLength = 16 * 1024

    /// The longest invitation time-out that is honoured, in seconds.
    public var maximumInvitationTimeout = 60

    /// The most protocol versions, features, kinds or counts that a peer may list in one frame.
    public var maximumListLength = 64

    /// The most lanes, further connections, that a transfer may have.
    public var maximumLaneCount = 7

    /// The most items of a kind that an acknowledgement may count, so that sums of them cannot overflow.
    public var maximumItemCount = 1_000_000_000

    /// The limits of protocol version 1.
    public static let standard = ProtocolLimits()

    /// Creates the limits of protocol version 1.
    public init() {}
}
