package import HostNetwork

/// The way to one address of another machine.
package struct WayFacts: Hashable, Sendable {
    /// The outcome of a connection.
    package enum Connection: Hashable, Sendable {
        /// The other machine accepted it after this time, and a peer set up encryption there.
        ///
        /// Large packets may get lost on the way, so that only small ones came through.
        case accepted(Duration, onlySmallPackets: Bool = false)
        /// The other machine accepted it, and then nothing more came in time, neither after large packets nor after small ones.
        case speechless
        /// The other machine accepted it, and the connection was reset at the first encrypted packet.
        case reset
        /// The other machine accepted it, and a web page answered.
        case webPage
        /// The other machine accepted it, and proved to be another one than the one that was meant.
        case otherKey
        /// The other machine accepted it, and another program answered.
        case otherProgram
        /// The other machine refused it.
        case refused
        /// There was no answer in time.
        case silent
        /// The system or a router reported that there is no route.
        case unreachable
        /// This machine does not permit it.
        case forbidden
        /// This machine has no address that it could send from.
        case noOwnAddress
        /// A packet was rejected with the message that an administrator forbids it, by this machine or by another one.
        case rejected
    }

    package var address: IPAddress
    package var port: Int
    /// The address as text, with the zone that it needs.
    package var text: String
    /// The interface over which the kernel sends; nil if it has no route.
    package var interface: String?
    /// The address of this machine that the connection has.
    package var source: IPAddress?
    /// The interface on whose network the address is; nil if it is on none.
    package var network: String?
    package var connection: Connection
    /// What the kernel knows of the other machine in the same network.
    package var neighbour: Neighbour.State = .unknown
    /// The hardware address of the machine that answers at the address in the same network; empty if it is not known.
    package var hardwareAddress: [UInt8] = []
    /// The interface on which a packet of the other machine to everybody has just come in; nil for none.
    package var heardOn: String?
    /// Whether something on this machine keeps packets to the address back; nil if that is not known.
    package var isKeptBack: Bool?
    /// Whether its multicast DNS answers when it is asked by unicast; nil if that was not tested.
    package var answersDirectly: Bool?
    /// Whether connections that open get lost, too, or take long; nil if that was not tested.
    package var isLossy: Bool?
    /// What happened at ports of the same address where nothing listens; nil if that was not tested.
    package var otherPorts: OtherPorts?

    /// What happened at other ports of an address.
    package struct OtherPorts: Hashable, Sendable {
        /// Whether the other machine answered at a port that networks let through for web pages.
        package var webAnswers: Bool
        /// Whether it answered at a port of no meaning.
        package var otherAnswers: Bool
        /// Whether a connection to that port opened, although nothing listens there.
        package var otherOpens: Bool = false
    }

    /// Whether a packet of the other machine to everybody has just come in.
    package var isHeard: Bool { heardOn != nil }

    /// Whether the other machine accepted a connection, and a peer answered.
    package var isAccepted: Bool { if case .accepted = connection { true } else { false } }

    /// Whether the kernel has no route to the address.
    package var hasNoRoute: Bool { connection == .unreachable && interface == nil }

    /// Whether no packet of the other machine proves that this one reaches it.
    ///
    /// A firewall of this machine may refuse a connection itself.
    package var isUnanswered: Bool { [.silent, .unreachable, .refused, .rejected].contains(connection) }

    /// Whether nothing has left this machine on this way, as far as is known.
    package var isKeptHere: Bool {
        isKeptBack ?? (connection == .forbidden || neighbour == .unasked && isUnanswered)
    }
}
