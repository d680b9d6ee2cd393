import HostNetwork

/// Judges the ways to other machines.
package enum PeerChecks {
    /// The finding that no peer is announced.
    package static let noPeers = Finding(
        .noPeers,
        .peers,
        .note,
        "No other machine is announced nearby at the moment."
    )

    /// Judges the ways to a peer that is announced, or to an address that a person gave.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - machine: This machine.
    ///   - isAnnounced: Whether the peer is announced.
    /// - Returns: The finding.
    package static func finding(of peer: PeerFacts, on machine: MachineFacts, isAnnounced: Bool) -> Finding {
        if let way = peer.ways.first(where: \.isAccepted) { return reached(peer, way) }
        if let way = peer.ways.first(where: { $0.connection == .speechless }) { return speechless(peer, way) }
        if let way = peer.ways.first(where: { $0.connection == .otherProgram }) { return otherProgram(peer, way) }
        if let way = peer.ways.first(where: { $0.connection == .forbidden }) ?? keptBack(peer) {
            return forbidden(peer, way, machine.firewall)
        }
        if let way = peer.ways.first(where: { $0.connection == .refused }) { return refused(peer, way, isAnnounced) }
        for way in peer.ways {
            guard let taker = machine.interface(way.interface), let network = way.network, taker.name != network,
                !taker.isLocalNetwork
            else { continue }
            return NetworkChecks.taken(network, by: taker)
        }
        let onLink = peer.ways.filter { $0.network != nil }
        guard !onLink.isEmpty else { return offLink(peer, machine, isAnnounced) }
        if let way = onLink.first(where: { $0.neighbour == .present }) {
            return blocked(peer, way, machine.firewall ?? .ufw)
        }
        if let way = onLink.first(where: { $0.neighbour == .absent }) {
            return onLink.contains(where: \.isHeard)
                ? isolated(peer, way) : isAnnounced ? gone(peer, way) : absent(peer, way)
        }
        return silent(peer, onLink.first)
    }

    /// Returns a way on which nothing has left this machine, not even the question where the other machine is.
    private static func keptBack(_ peer: PeerFacts) -> WayFacts? {
        guard !peer.ways.contains(where: { $0.neighbour == .present }) else { return nil }
        return peer.ways.first { $0.neighbour == .unasked && $0.isUnanswered }
    }

    private static func reached(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        guard case .accepted(let duration) = way.connection else { return silent(peer, way) }
        let time = Int(duration / .milliseconds(1)) + 1
        var finding = Finding(
            .peerReached,
            .peers,
            .ok,
            "\(peer.name) answers at \(way.text) within \(time) ms.",
            port: way.port
        )
        if duration >= slowness {
            finding.severity = .note
            finding.message += " The way there is slow or loses packets."
            finding.remedy = "Move closer to the other machine or to the Wi-Fi's access point, or use a cable."
        }
        return finding
    }

    /// The time to open a connection after which a way is slow; the kernel repeats a lost packet after a second.
    private static let slowness: Duration = .milliseconds(900)

    /// The finding that another program answers at the address.
    private static func otherProgram(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        Finding(
            .otherProgram,
            .peers,
            .problem,
            "\(peer.name) answers, but another program listens there (\(way.text)).",
            remedy: "Use the address and the port that the other machine shows.",
            port: way.port
        )
    }

    /// The packets that open a connection are small, those that set up encryption are large.
    private static func speechless(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        Finding(
            .packetsLost,
            .peers,
            .problem,
            "\(peer.name) accepts a connection at \(way.text), but encryption is not set up in time. Large packets may "
                + "get lost on the way, or the network is very slow.",
            remedy: "Use another network or a cable, or make packets smaller; on the other machine, too:",
            command: way.interface.map { "sudo ip link set \($0) mtu \(smallestMTU)" },
            interface: way.interface,
            port: way.port
        )
    }

    /// The smallest packet that every network with IPv6 carries (RFC 8200, section 5).
    private static let smallestMTU = 1280

    /// The finding that an address is one of this machine.
    package static func ownAddress(_ name: String) -> Finding {
        Finding(
            .ownAddress,
            .peers,
            .problem,
            "\(name) is this laptop itself.",
            remedy: "Use an address that the other laptop shows."
        )
    }

    /// The finding that the name of a host has no address.
    package static func unknownHost(_ name: String) -> Finding {
        Finding(
            .unknownHost,
            .peers,
            .problem,
            "The host \(name) cannot be found.",
            remedy: "Use an address that the other machine shows."
        )
    }

    /// A refusal proves that packets get through in both directions.
    ///
    /// Without a listener, more cannot be tested.
    private static func refused(_ peer: PeerFacts, _ way: WayFacts, _ isAnnounced: Bool) -> Finding {
        Finding(
            .portRefused,
            .peers,
            isAnnounced ? .problem : .warning,
            "The machine of \(peer.name) is there, but refuses connections to TCP port \(way.port) (\(way.text)). "
                + "No program listens there, or a firewall rejects connections.",
            remedy: "Check that the program is running on the other machine, and which port it shows.",
            port: way.port
        )
    }

    private static func forbidden(_ peer: PeerFacts, _ way: WayFacts, _ firewall: Firewall?) -> Finding {
        Finding(
            .outgoingBlocked,
            .firewall,
            .problem,
            "The firewall of this machine does not let it connect to \(peer.name) (\(way.text)).",
            remedy: Firewall.remedy(firewall, for: .out),
            command: Firewall.command(of: firewall) { $0.command(lettingOutTo: way.port) },
            port: way.port
        )
    }

    /// The question where the other machine is has left this machine, so a firewall of this one is unlikely.
    ///
    /// An access point may answer that question for the other machine and keep its devices apart all the same.
    private static func blocked(_ peer: PeerFacts, _ way: WayFacts, _ firewall: Firewall) -> Finding {
        let isRejected = way.connection == .rejected || way.connection == .unreachable
        return Finding(
            .portBlocked,
            .peers,
            .problem,
            "The machine of \(peer.name) is there, but does not answer at TCP port \(way.port) (\(way.text)). "
                + (isRejected
                    ? "Its firewall rejects connections."
                    : "Its firewall drops connections, or the network keeps its devices apart (client isolation)."),
            remedy:
                "Open the port on the other machine. If that does not help, use a cable. If the other machine has the "
                + "firewall \(firewall.rawValue), run there:",
            command: firewall.command(opening: way.port),
            port: way.port
        )
    }

    private static func isolated(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        Finding(
            .clientIsolation,
            .peers,
            .problem,
            "\(peer.name) can be heard on \(way.network ?? "the network"), but not reached (\(way.text)). "
                + "The network blocks connections between its devices, as many guest networks do (client isolation).",
            remedy:
                "Use another network: a cable between the two machines, the hotspot of a phone, or a hotspot of this "
                + "machine:",
            command: "nmcli device wifi hotspot",
            interface: way.network
        )
    }

    private static func gone(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        Finding(
            .peerGone,
            .peers,
            .warning,
            "\(peer.name) was announced a while ago, but its machine is no longer on \(way.network ?? "the network") "
                + "(\(way.text)).",
            remedy: "Check that the other machine is awake and on the same network."
        )
    }

    private static func absent(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        Finding(
            .peerGone,
            .peers,
            .problem,
            "No machine with the address \(way.text) answers on \(way.network ?? "the network"). It is switched off or on "
                + "another network, or the network blocks connections between its devices (client isolation).",
            remedy: "Check the address on the other machine. Otherwise use a cable or the hotspot of a phone."
        )
    }

    private static func silent(_ peer: PeerFacts, _ way: WayFacts?) -> Finding {
        Finding(
            .peerSilent,
            .peers,
            .problem,
            "\(peer.name) does not answer\(way.map { " at \($0.text)" } ?? ""). A firewall on its machine or on this one "
                + "drops connections, or the network blocks connections between its devices.",
            remedy: "Open the port on the other machine, or use a cable or the hotspot of a phone.",
            port: way?.port
        )
    }

    /// The finding that the kernel has no route to any of the addresses, so that nothing was sent.
    private static func noRoute(_ peer: PeerFacts, _ way: WayFacts, _ machine: MachineFacts) -> Finding {
        let own = machine.usableInterfaces.flatMap { interface in
            interface.addresses.filter { !$0.address.needsZone }
                .map { "\($0.address)/\($0.prefixLength) on \(interface.name)" }
        }
        let having = own.isEmpty ? "" : " It has \(own.joined(separator: ", "))."
        return Finding(
            .noRoute,
            .peers,
            .problem,
            "This machine is on no network that leads to \(way.address)." + having,
            remedy: "Join the network of the other machine, or use another address that it shows."
        )
    }

    /// The finding that nothing comes back from an address in another network.
    private static func behindRouter(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        Finding(
            .peerSilent,
            .peers,
            .problem,
            "\(peer.name) does not answer at \(way.text). The address is not in a network of this machine, and a router "
                + "or a firewall on the way lets no connection through.",
            remedy: "Join the network of the other machine, or use another address that it shows."
        )
    }

    /// The finding that none of the addresses is in a network of this machine.
    private static func offLink(_ peer: PeerFacts, _ machine: MachineFacts, _ isAnnounced: Bool) -> Finding {
        if !isAnnounced, let way = peer.ways.first, peer.ways.allSatisfy(\.hasNoRoute) {
            return noRoute(peer, way, machine)
        }
        guard isAnnounced, let way = peer.ways.first, let own = machine.usableInterfaces.first else {
            return peer.ways.first.map { behindRouter(peer, $0) } ?? silent(peer, nil)
        }
        let ownText = own.addresses.map(\.address).filter { $0.isIPv6 == way.address.isIPv6 }
            .map(\.description).joined(separator: ", ")
        let having = ownText.isEmpty ? "no address of that kind" : ownText
        return Finding(
            .otherSubnet,
            .peers,
            .problem,
            "\(peer.name) is on the same cable or Wi-Fi, but has an address of another network (\(way.address)). "
                + "This machine has \(having) on \(own.name).",
            remedy:
                "Let both machines get their addresses in the same way. For now, tell this machine that the other one is "
                + "near, and the other one, with the address \(ownText.isEmpty ? "of this one" : ownText), that this one is:",
            command: "sudo ip route add \(way.address) dev \(own.name)",
            interface: own.name
        )
    }
}

extension WayFacts {
    /// Whether the other machine accepted a connection.
    var isAccepted: Bool {
        if case .accepted = connection { true } else { false }
    }

    /// Whether the kernel has no route to the address.
    var hasNoRoute: Bool { connection == .unreachable && interface == nil }
}
