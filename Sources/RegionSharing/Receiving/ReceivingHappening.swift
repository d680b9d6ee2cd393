public import PeerCore
public import RegionStore

/// Something that has happened while a region is received.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ReceivingHappening: Sendable {
    /// A sender has made an offer, or a person has selected parts of it; nothing is decided yet.
    case offered(OfferFacts)
    /// An offer is taken without a question.
    case takenUnasked(OfferFacts)
    /// A sender offers several regions; nothing is picked yet.
    case listed(CatalogueFacts)
    /// What is wanted is picked from a list without a question.
    case pickedUnasked(CatalogueFacts)
    /// One of several regions is left out, because the sender cannot send it.
    case leftOut(name: String, any Error)
    /// The receiver looks for a sender before it gives up.
    case looking(RenewedSearch)
    /// The receiver will connect again.
    case reconnecting(Reconnection)
    /// Another sender has the same map.
    case substitute(DiscoveredPeer, among: [TrustedPeer])
    /// A region is received; the last one, or one of several.
    case received(ReceivedRegion, isLast: Bool)
    /// Files are kept for the next attempt.
    case kept(KeptFiles)
}
