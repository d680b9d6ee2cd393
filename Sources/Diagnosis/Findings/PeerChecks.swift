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
        if let way = peer.ways.first(where: { $0.connection == .refused }) { return refused(peer, way, isAnnounced) }
        if let way = peer.ways.first(where: { $0.connection == .forbidden }) {
            return forbidden(peer, way, machine.firewall ?? .nftables)
        }
        if let way = peer.ways.first(where: { leadsIntoTunnel($0, machine) }), let tunnel = way.interface,
            let network = way.network
        {
            return NetworkChecks.taken(network, by: tunnel)
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

    private static func leadsIntoTunnel(_ way: WayFacts, _ machine: MachineFacts) -> Bool {
        machine.interface(way.interface)?.isTunnel == true && way.network != way.interface
    }

    private static func reached(_ peer: PeerFacts, _ way: WayFacts) -> Finding {
        var time = ""
        if case .accepted(let duration) = way.connection { time = " within \(Int(duration / .milliseconds(1)) + 1) ms" }
        return Finding(.peerReached, .peers, .ok, "\(peer.name) answers at \(way.text)\(time).", port: way.port)
    }

    /// The finding that another program answers at the address.
    static func otherProgram(_ name: String, at address: String) -> Finding {
        Finding(
            .otherProgram,
            .peers,
            .problem,
            "\(name) answers, but another program listens there (\(address)).",
            remedy: "Use the address and the port that the other machine shows."
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

    private static func forbidden(_ peer: PeerFacts, _ way: WayFacts, _ firewall: Firewall) -> Finding {
        Finding(
            .outgoingBlocked,
            .firewall,
            .problem,
            "The firewall of this machine does not let it connect to \(peer.name) (\(way.text)).",
            remedy: firewall.remedyForOutgoing("the connections"),
            command: firewall.command(lettingOutTo: way.port),
            port: way.port
        )
    }

    /// A lost packet does not show which of the two machines dropped it.
    private static func blocked(_ peer: PeerFacts, _ way: WayFacts, _ firewall: Firewall) -> Finding {
        Finding(
            .portBlocked,
            .peers,
            .problem,
            "The machine of \(peer.name) is there, but does not answer at TCP port \(way.port) (\(way.text)). "
                + "A firewall on its machine or on this one drops connections.",
            remedy:
                "Open the port on the other machine, and let connections to the port out of this one. If the other machine has "
                + "the firewall \(firewall.rawValue), run there:",
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

    /// The finding that none of the addresses is in a network of this machine.
    private static func offLink(_ peer: PeerFacts, _ machine: MachineFacts, _ isAnnounced: Bool) -> Finding {
        if !isAnnounced, let way = peer.ways.first, peer.ways.allSatisfy(\.hasNoRoute) {
            return noRoute(peer, way, machine)
        }
        guard isAnnounced, let way = peer.ways.first, let own = machine.usableInterfaces.first else {
            return silent(peer, peer.ways.first)
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
                + "near, and do the same there:",
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
