import NetworkManager
import PeerCore

/// Something about the Wi-Fi networks that this machine makes and joins.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum NetworkHappening: Sendable {
    /// What is worked at.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Work: Hashable, Sendable {
        /// Looks for networks of senders.
        case looking
        /// Makes a network of this name.
        case making(String)
        /// Joins a network of this name.
        case joining(String)
    }

    /// The Wi-Fi card leaves its network without a question.
    case leaving(LeaveNetworkQuestion)
    /// NetworkManager asks for the password of an administrator.
    case needsAdministrator
    /// Something is worked at; nil if no more.
    case working(Work?)
    /// The network is made.
    case made(MadeNetwork)
    /// The network of a sender is joined.
    case joined(JoinedNetwork)
    /// The Wi-Fi card returns to the network of this name.
    case returning(to: String)
}
