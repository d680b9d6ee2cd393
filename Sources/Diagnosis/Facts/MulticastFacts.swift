package import HostNetwork

/// The fate of multicast packets of this machine, and the machines that answered.
package struct MulticastFacts: Hashable, Sendable {
    /// The fate of the packet on one interface with one IP version.
    package struct Echo: Hashable, Sendable {
        /// The fate of the packet.
        package enum Fate: Hashable, Sendable {
            /// It came back.
            case returned
            /// It was sent but did not come back: something drops incoming packets.
            case lost
            /// The system did not permit to send it.
            case forbidden
            /// It could not be sent or received, for a reason that has nothing to do with the network.
            case untested
        }

        package var interface: String
        package var isIPv6: Bool
        package var fate: Fate
    }

    /// A sender of multicast packets, on one interface.
    package struct Voice: Hashable, Sendable {
        package var interface: String
        package var address: IPAddress
    }

    package var echoes: [Echo] = []
    /// The machines from which answers have come.
    package var voices: Set<Voice> = []
    /// Those whose answers name the service that was asked for.
    package var announcers: Set<Voice> = []
    /// Machines that told by unicast of a service that was not heard by multicast.
    ///
    /// The network loses multicast towards this machine, or a firewall of this machine keeps it back. That a machine is not among them
    /// proves nothing: most firewalls keep such answers back.
    package var directAnnouncers: Set<Voice> = []

    /// The names of the services that each of them announced; for those that were heard by multicast.
    package var services: [Voice: Set<String>] = [:]
    /// How many packets came from an address of this machine although another one sent them.
    package var ownEchoes: UInt64 = 0
}
