package import NetworkManager
public import PeerCore

/// Something about the Wi-Fi networks that this machine makes and joins.
public enum NetworkHappening: Sendable {
    /// What is worked at.
    public enum Work: Hashable, Sendable {
        /// Looks for networks of senders.
        case looking
        /// Makes a network of this name.
        case making(String)
        /// Joins a network of this name.
        case joining(String)
    }

    /// The Wi-Fi card leaves its network, and nobody is asked.
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

/// The Wi-Fi network that a sender has made.
public struct MadeNetwork: Sendable {
    /// Its name and its password.
    public var credentials: ShareLinkNetwork
    /// How it was made.
    package var plan: HotspotPlan
}

/// The Wi-Fi network that a receiver has joined.
public struct JoinedNetwork: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The interface of the Wi-Fi card.
    public var interface: String
}
