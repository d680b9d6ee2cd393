import PeerCore
import RegionStore

/// Something that has happened while a machine takes what trusted machines offer.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum KeepingHappening: Sendable {
    /// The machine waits for senders.
    case waiting
    /// Something of an offer is left out.
    case leftOut(KeepLeftOut)
    /// Something of a region was received.
    case received(ReceivedRegion)
}
