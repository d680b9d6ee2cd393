public import FoundationEssentials
public import PeerCore
public import RegionStore

/// What happens with a stick.
public enum StickHappening: Sendable {
    /// A file on the stick cannot be used, or cannot be used yet. It does not affect the others.
    case unusable(path: String, any Error)
    /// A region is written; nil at the end.
    case writing(region: String, ImportProgress?)
    /// A region was written.
    case written(WrittenStickFile)
    /// A region was written before for the same request.
    case writtenBefore(path: String)
    /// What is written concerns a person, and nobody was asked.
    case personal(PersonalContent)
    /// So many regions were written for anyone who has the secret.
    case sealedForAnyone(StickSecret, regionCount: Int)
    /// A request of this machine was written.
    case requested(WrittenStickRequest)
    /// A region is read; nil at the end.
    case reading(region: String, ImportProgress?)
    /// A file stays on the stick, although something of it was taken.
    case left(path: String, StickRemainder)
}

/// A region that was written to a stick.
public struct WrittenStickFile: Sendable {
    /// The path of the file.
    public var path: String
    /// The size of the file in bytes; nil if it is not known.
    public var size: UInt64?
    /// The region.
    public var regionID: UUID
    /// The name of the region.
    public var regionName: String
    /// For whom it is sealed; nil if it is for anyone.
    public var recipient: StickRecipient?
    /// The secret with which anyone can open it; nil if it is for one machine.
    public var secret: StickSecret?
}

/// A machine that has written a request to a stick.
public struct StickRecipient: Sendable {
    package var request: StickRequest
    /// What this machine knows of the key.
    public var trust: PeerTrust

    /// Whether the machine is trusted.
    var isTrusted: Bool { if case .trusted = trust { true } else { false } }
}

/// A request that was written to a stick.
public struct WrittenStickRequest: Sendable {
    /// The path of the file.
    public var path: String
    /// The folder of the stick.
    public var folder: String
    package var request: StickRequest
    /// Whether it replaces a former one, so that what is sealed for that one cannot be opened any more.
    public var isReplacement = false
}

/// What is left in a file on a stick.
public enum StickRemainder: Sendable {
    /// What a person has left out.
    case leftOut
    /// What differs from what is here, because nobody was asked.
    case different
}
