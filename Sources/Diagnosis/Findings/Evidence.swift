/// An observation that speaks for a finding or against it.
package enum Evidence: Hashable, Sendable {
    /// A tunnel has the route to the internet.
    case tunnelHasRoute(String)
    /// No packet has left this machine.
    case nothingLeft
    /// Packets have left this machine.
    case packetsLeft
    /// A packet of the other machine to everybody has come in on an interface.
    case heardOn(String)
    /// No packet of the other machine to everybody has come in.
    case notHeard
    /// The machine with that address answers where it is (ARP, IPv6 neighbour discovery).
    case neighbourAnswers
    /// It does not.
    case neighbourSilent
    /// The other machine says what it has of the packets of this one, and what came of its own to this one.
    case otherSide(PeerView.Arrivals, PeerView.Back?)
    /// What has come here of the packets of the other machine, and what came of a connection to it.
    case fromHere(PeerView.Arrivals, PeerView.Back?)
    /// The other machine has not said what it sees.
    case otherSideUnknown
    /// The machine at the address has another network card than the one that is meant.
    case otherHardware([UInt8])
    /// A firewall is active on this machine.
    case firewallHere(Firewall)
    /// No firewall service seems to be active on this machine.
    case noFirewallHere
    /// Ports of the other machine answer where nothing listens.
    case closedPortsAnswer
    /// Only ports of web pages answer.
    case onlyWebAnswers
    /// Several connections at the same time do not open at once.
    case connectionsLost
    /// Small packets are lost, too.
    case smallPacketsLost
    /// The system refused a connection itself.
    case systemRefused
    /// Another machine was reached.
    case reachedOther(String)
}
