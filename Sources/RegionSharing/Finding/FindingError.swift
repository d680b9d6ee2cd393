public import PeerCore

/// Why there is no sender to receive from.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum FindingError: SharingError, Hashable {
    /// No sender was found, or only others than the one that was meant.
    case noSender(SenderSearch, others: [DiscoveredPeer])
    /// Several senders were found, and there is no person to ask which one is meant.
    case several(SenderSearch, [DiscoveredPeer])
    /// The person has picked none.
    case noneChosen
    /// The person has given no share link.
    case noLink
}
