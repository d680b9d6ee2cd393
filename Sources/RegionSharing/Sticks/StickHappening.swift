import PeerCore
public import RegionStore

/// What happens with a stick.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum StickHappening: Sendable {
    /// A file on the stick cannot be used, or cannot be used yet. It does not affect the others.
    case unusable(path: String, any Error)
    /// A region is written; nil at the end.
    case writing(region: String, ImportProgress?)
    /// A region was written.
    case written(WrittenStickFile)
    /// A region was written before for the same request.
    case writtenBefore(path: String)
    /// Personal content is written without a question.
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

/// What is left in a file on a stick.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum StickRemainder: Sendable {
    /// What a person has left out.
    case leftOut
    /// What differs from the store, because no question was asked.
    case different
}
