package import HostNetwork

/// What is known of Avahi on this machine.
package struct AvahiFacts: Hashable, Sendable {
    /// The state of the daemon.
    package enum State: Hashable, Sendable {
        case running
        case stopped
        case noBus
        /// The daemon runs and does not answer, or has found no host name.
        case silent
        /// Another failure, in the words of the library.
        case failed(String)
    }

    /// Whether the daemon's program is on the disk.
    package var isInstalled: Bool
    package var state: State
    /// The interfaces on which the daemon works; nil if that could not be found out.
    package var interfaces: Set<String>?
    /// Whether the daemon refuses to announce services.
    package var deniesPublishing: Bool
    /// What the daemon's configuration file says.
    package var configuration: AvahiConfiguration

    package init(
        isInstalled: Bool = true,
        state: State,
        interfaces: Set<String>? = nil,
        deniesPublishing: Bool = false,
        configuration: AvahiConfiguration = AvahiConfiguration()
    ) {
        self.isInstalled = isInstalled
        self.state = state
        self.interfaces = interfaces
        self.deniesPublishing = deniesPublishing
        self.configuration = configuration
    }
}

/// What became of a multicast packet that this machine has sent to itself, and what others have sent.
package struct MulticastFacts: Hashable, Sendable {
    /// The fate of the packet on one interface with one IP version.
    package struct Echo: Hashable, Sendable {
        /// What became of the packet.
        package enum Fate: Hashable, Sendable {
            /// It came back.
            case returned
            /// It was sent and did not come back: something drops incoming packets.
            case lost
            /// The system did not let it go out.
            case forbidden
            /// It could not be sent or received, for a reason that says nothing of the network.
            case untested
        }

        package var interface: String
        package var isIPv6: Bool
        package var fate: Fate

        package init(interface: String, isIPv6: Bool, fate: Fate) {
            self.interface = interface
            self.isIPv6 = isIPv6
            self.fate = fate
        }
    }

    /// A sender of multicast packets, on one interface.
    package struct Voice: Hashable, Sendable {
        package var interface: String
        package var address: IPAddress

        package init(interface: String, address: IPAddress) {
            self.interface = interface
            self.address = address
        }
    }

    package var echoes: [Echo]
    /// The machines from which answers have come.
    package var voices: Set<Voice>

    package init(echoes: [Echo] = [], voices: Set<Voice> = []) {
        self.echoes = echoes
        self.voices = voices
    }
}
