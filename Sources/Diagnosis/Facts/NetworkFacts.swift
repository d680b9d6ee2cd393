/// Everything that is known of this machine, its networks and the machines nearby, from which causes are judged.
///
/// What was not looked at is nil, and is not judged.
package struct NetworkFacts: Hashable, Sendable {
    package var machine: MachineFacts
    /// The daemon that finds machines nearby.
    package var avahi: AvahiFacts?
    /// What came of packets to everybody.
    package var multicast: MulticastFacts?
    /// The machines that were looked at.
    package var peers: [PeerFacts] = []
    /// Whether machines nearby were searched for, so that an empty list means that there are none.
    package var isSearched: Bool = false
    /// The interfaces on which announcements of other machines come in.
    package var peersOn: Set<String> = []
    /// The Wi-Fi network that this machine can make of its own.
    package var ownNetwork: OwnNetworkFacts?
}

/// The Wi-Fi network that a machine can make of its own.
package enum OwnNetworkFacts: Hashable, Sendable {
    /// It can make one.
    case possible(interface: String, servesPhones: Bool)
    /// It cannot, for a reason in words, with what to do and a command, if there are any.
    case impossible(reason: String, remedy: String?, command: String?)
    /// NetworkManager uses no network at all.
    case networkingOff(reason: String, remedy: String?, command: String?)

    /// Whether it can make one.
    package var isPossible: Bool { if case .possible = self { true } else { false } }
}
