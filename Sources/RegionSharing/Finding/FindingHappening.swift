public import RegionStore

/// Something about other machines, and who they are.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum FindingHappening: Sendable {
    /// A search for senders has begun.
    case searching
    /// The search has ended.
    case searchEnded
    /// A machine is trusted from now on.
    case trusted(TrustedPeer)
    /// A person has given a trusted machine another name.
    case renamed(from: String, TrustedPeer)
}
