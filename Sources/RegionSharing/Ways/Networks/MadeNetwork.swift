package import NetworkManager
public import PeerCore

/// The Wi-Fi network that a sender has made.
public struct MadeNetwork: Sendable {
    /// Its name and its password.
    public var credentials: ShareLinkNetwork
    package var plan: HotspotPlan
}

/// The Wi-Fi network that a receiver has joined.
public struct JoinedNetwork: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// The interface of the Wi-Fi card.
    public var interface: String
}
