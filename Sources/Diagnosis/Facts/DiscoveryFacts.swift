package import HostNetwork

/// The state of Avahi on this machine.
package struct AvahiFacts: Hashable, Sendable {
    /// The state of the daemon.
    package enum State: Hashable, Sendable {
        case running
        case stopped
        /// The daemon does not run, and cannot be started, because another program has its port to itself.
        case portTaken
        /// The daemon's process runs, but has no connection to the bus.
        case offBus
        case noBus
        /// The bus refuses this user.
        case busDenied
        /// The daemon runs but does not answer, or has not found a host name.
        case silent
        /// Another failure, in the words of the library.
        case failed(String)
    }

    /// Whether the daemon's program is installed.
    package var isInstalled: Bool
    package var state: State
    /// The interfaces on which the daemon works; nil if they are not known.
    package var interfaces: Set<String>?
    /// Whether the daemon refuses to announce services.
    package var deniesPublishing: Bool
    /// The settings in the daemon's configuration file.
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
    /// Those whose answers name the service that was asked for.
    package var announcers: Set<Voice>
    /// Machines that told by unicast of a service that was not heard by multicast.
    ///
    /// The network loses multicast towards this machine, or a firewall of this machine keeps it back. That a machine is not among them
    /// proves nothing: most firewalls keep such answers back.
    package var directAnnouncers: Set<Voice>

    /// How many packets came from an address of this machine although another one sent them.
    package var ownEchoes: UInt64 = 0

    package init(
        echoes: [Echo] = [],
        voices: Set<Voice> = [],
        announcers: Set<Voice> = [],
        directAnnouncers: Set<Voice> = []
    ) {
        self.echoes = echoes
        self.voices = voices
        self.announcers = announcers
        self.directAnnouncers = directAnnouncers
    }
}

/// The settings in the configuration file of the Avahi daemon (avahi-daemon.conf(5)) that keep machines apart.
package struct AvahiConfiguration: Hashable, Sendable {
    /// The usual place of the file.
    package static let path = "/etc/avahi/avahi-daemon.conf"

    /// The maximum length of a name in a list.
    private static let maximumNameLength = 32
    /// The maximum number of names in a list.
    private static let maximumNames = 64

    /// The only interfaces that the daemon uses; nil if there is no such list.
    package var allowed: [String]?
    /// The interfaces that the daemon does not use.
    package var denied: [String]
    /// Whether both IP versions are switched off.
    package var usesNoIP: Bool
    /// Whether programs reach the daemon.
    package var usesDBus = true
    /// Whether the addresses of this machine are announced.
    package var publishesAddresses = true
    /// The domain, if it is another one than that of all machines.
    package var otherDomain: String?

    /// Creates a configuration that excludes nothing.
    package init(allowed: [String]? = nil, denied: [String] = [], usesNoIP: Bool = false) {
        self.allowed = allowed
        self.denied = denied
        self.usesNoIP = usesNoIP
    }

    /// Reads a configuration file; lines that are not understood are ignored.
    package init(parsing text: String) {
        self.init()
        var section = ""
        var usesIPv4 = true
        var usesIPv6 = true
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("[") {
                section = line
            } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
                let value = Self.trimmed(line[line.index(after: equals)...])
                switch section + Self.trimmed(line[..<equals]) {
                case "[server]allow-interfaces": allowed = Self.names(value)
                case "[server]deny-interfaces": denied = Self.names(value)
                case "[server]use-ipv4": usesIPv4 = value != "no"
                case "[server]use-ipv6": usesIPv6 = value != "no"
                case "[server]enable-dbus": usesDBus = value != "no"
                case "[server]domain-name": otherDomain = value == "local" ? nil : Self.names(value).first
                case "[publish]publish-addresses": publishesAddresses = value != "no"
                default: break
                }
            }
        }
        usesNoIP = !usesIPv4 && !usesIPv6
    }

    /// The name of the setting that excludes an interface; nil if none does.
    package func exclusion(of interface: String) -> String? {
        // The daemon checks deny-interfaces first.
        if denied.contains(interface) { return "deny-interfaces" }
        if let allowed, !allowed.contains(interface) { return "allow-interfaces" }
        return usesNoIP ? "use-ipv4" : nil
    }

    private static func names(_ list: some StringProtocol) -> [String] {
        list.split(separator: ",").prefix(maximumNames).map { String(trimmed($0)) }.filter {
            !$0.isEmpty && $0.utf8.count <= maximumNameLength
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
