import HostNetwork

extension Finding {
    /// What was found, with what is known of it.
    package enum Kind: Hashable, Sendable {
        /// The addresses of this machine on local networks, by interface.
        case address([InterfaceFacts])
        case noInterface
        case radioOff(bySwitch: Bool)
        case interfaceDown([String])
        case noCarrier([InterfaceFacts])
        /// An interface that is connected and has no address.
        case noAddress(InterfaceFacts)
        /// NetworkManager uses no network.
        case networkingOff(OwnNetworkFacts)
        case tunnelTakesNetwork(tunnel: String, network: String)
        case containersTakeNetwork(bridge: String, network: String)
        case tunnelActive(String)
        /// A tunnel has the route to the internet, and nothing leaves this machine beside it or comes in.
        case tunnelBlocks(String)
        /// The kernel has no way into the network of one of its own interfaces.
        case routeRefused(interface: String, network: String)
        /// Packets for a machine that is heard on one interface leave by another one with the same network.
        case cardTakesNetwork(card: String, network: String)
        /// Another machine has an address of this one: one of these. Its name, if it is known; and an address for this machine instead,
        /// if it has no other network.
        case sharedAddress([PeerFacts.SharedAddress], peer: String?, other: String?)
        /// The system found out that another machine has an IPv6 address of this one.
        case duplicateAddress(String, interface: String)
        /// What a Wi-Fi network of this machine is like.
        case ownNetwork(OwnNetworkFacts)

        /// Avahi works on these interfaces.
        case avahi([String])
        /// Something is wrong with Avahi.
        case avahiTrouble(AvahiTrouble)
        /// Machines answer a question from an ordinary port, but no packet to everybody comes from them.
        case multicastLost([String])
        case multicast([String])
        case multicastOff(interface: String)
        /// The firewall of this machine keeps packets to everybody in or out, of one IP version or of both.
        case multicastBlocked(interface: String, isOutgoing: Bool, onlyIPv6: Bool?)

        /// The firewall of this machine keeps announcements of phones with LocalSend in or out.
        case phonesBlocked(interface: String, isOutgoing: Bool)
        /// A program has the port of LocalSend.
        case phonePortTaken

        case firewallActive(Firewall, port: Int)
        case noFirewall
        /// This machine does not let connections to the peer out.
        case outgoingBlocked(Place)
        /// This machine does not let the answers of the peer in.
        case answersBlocked(Place)

        case noPeers
        case peerReached(Place, milliseconds: Int, isSlow: Bool, onlySmallPackets: Bool)
        /// The peer's machine is there, and its firewall drops or rejects connections.
        case portBlocked(Place, isRejected: Bool)
        /// The peer's machine does not let its answers out.
        case answersKept(Place)
        /// The firewall of this machine lets no connections of the peer in.
        case incomingBlocked(Place)
        /// Packets of the peer arrive, and the answers of this machine get lost.
        case answersLost(Place)
        /// The peer's machine has no way back to this one.
        case noWayBack(Place)
        /// The peer's machine refuses connections.
        case portRefused(Place)
        /// Another machine has the peer's address.
        case addressTaken(Place, hardwareAddress: [UInt8])
        case clientIsolation(Place)
        case signInPage(Place)
        case encryptionBlocked(Place)
        case onlyWebPorts(Place)
        /// A peer was announced, and its machine is no longer there; or no machine has the address that a person gave.
        case peerGone(Place, wasAnnounced: Bool)
        /// The peer is on the same link with an address of another network; this machine's addresses of that kind, and a further one in
        /// that network that it could have.
        case otherSubnet(Place, own: [String], further: String?)
        /// No route leads to the address; the networks of this machine.
        case noRoute(Place, own: [String])
        /// A router on the way lets nothing through.
        case behindRouter(Place)
        case peerSilent(Place)
        case packetsLost(Place)
        case otherProgram(Place)
        case otherKey(Place)
        case ownAddress(String)
        case unknownHost(String)
        /// The way from the other machine to this one was not tested; this machine's address on that way.
        case otherDirection(own: String)

        case clock
        /// The clock is behind a time that has certainly passed, by this many days.
        case clockBehind(days: UInt64?, of: ClockFacts.Reference)
        case clockDiffers(days: UInt64?)

        case space(StoreFacts)
        case openToOthers(StoreFacts)
        case diskFull(StoreFacts)
        case diskLow(StoreFacts)
        case readOnly(StoreFacts)
        case noPermission(StoreFacts)
    }

    /// A peer, and the way to it that a finding is about.
    package struct Place: Hashable, Sendable {
        /// The name that the peer claims, or what it is called; escape it before you show it.
        package var name: String
        /// The address with the port as text; nil if there is none.
        package var text: String?
        /// The address alone.
        package var address: String?
        package var port: Int?
        /// The interface on whose network the address is; else the one over which the kernel sends.
        package var interface: String?
        /// The address of this machine on that way.
        package var source: String?

        /// Creates a place with a name and a port of this machine alone.
        init(_ name: String, port: Int) { (self.name, self.port) = (name, port) }

        package init(of peer: PeerFacts, at way: WayFacts?) {
            (name, text, port) = (peer.name, way?.text, way?.port)
            (address, source) = (way?.address.description, way?.source?.description)
            interface = way?.network ?? way?.interface
        }
    }
}

extension Finding.Kind {
    /// The peer and the way to it that a finding is about; nil for none.
    package var place: Finding.Place? {
        switch self {
        case .outgoingBlocked(let place), .answersBlocked(let place), .incomingBlocked(let place),
            .answersLost(let place), .peerReached(let place, _, _, _),
            .portBlocked(let place, _), .answersKept(let place), .noWayBack(let place), .portRefused(let place),
            .addressTaken(let place, _), .clientIsolation(let place), .signInPage(let place),
            .encryptionBlocked(let place),
            .onlyWebPorts(let place), .peerGone(let place, _), .otherSubnet(let place, _, _), .noRoute(let place, _),
            .behindRouter(let place), .peerSilent(let place), .packetsLost(let place), .otherProgram(let place),
            .otherKey(let place):
            place
        default: nil
        }
    }

    /// The interface that a finding is about; nil for none or several.
    package var interface: String? {
        switch self {
        case .interfaceDown(let names): names.first
        case .noAddress(let interface): interface.name
        case .tunnelTakesNetwork(let name, _), .containersTakeNetwork(let name, _), .tunnelActive(let name),
            .tunnelBlocks(let name), .routeRefused(let name, _), .cardTakesNetwork(let name, _),
            .duplicateAddress(_, let name), .multicastOff(let name), .multicastBlocked(let name, _, _),
            .phonesBlocked(let name, _):
            name
        case .sharedAddress(let shared, _, _): shared.first?.interface
        case .ownNetwork(.possible(let name, _)): name
        case .avahiTrouble(let trouble): trouble.interface
        default: place?.interface
        }
    }
}
