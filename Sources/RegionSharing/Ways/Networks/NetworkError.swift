package import NetworkManager

/// Why a Wi-Fi network is not made, joined or used.
package enum NetworkError: SharingError, Hashable {
    /// The machine would leave the network of this name, and there is no person to ask.
    case nobodyToAsk(leaving: String)
    /// The person does not want the network to be made.
    case notMade
    /// The person does not want to join the network, or has not joined it.
    case notJoined
    /// No network of a sender is within reach.
    case noneInReach
    /// The person has chosen none.
    case noneChosen
    /// The person has given no password.
    case noPassword
    /// Phones get no address in the network, so they could not open a page.
    case noAddresses(HotspotPlan.Reason)
    /// This machine has no IPv4 address in the network of this name, so phones could not open a page.
    case noIPv4(name: String)
    /// Another program has ended the network of this name.
    case ended(name: String)
}
