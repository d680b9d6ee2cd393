/// Packets that hikeshare needs, as nftables and iptables describe them.
struct PacketMatch: Hashable {
    /// The beginning of the comment of each rule that this program adds.
    static let mark = "hikeshare-"

    /// The words of nft(8).
    var nft: [String]
    /// The options of iptables(8) or ip6tables(8); empty if they have none.
    var iptables: [String]

    /// The comment of a rule with this match: what is not known of a rule's content is known by its comment.
    var comment: String {
        let words = nft.joined(separator: "-").map { $0.isLetter || $0.isNumber ? $0 : "-" }
        return Self.mark + String(words).split(separator: "-").joined(separator: "-")
    }

    /// Packets to (`dport`) or from (`sport`) a port.
    private static func port(_ kind: String, _ end: String, _ number: Int) -> Self {
        Self(nft: [kind, end, "\(number)"], iptables: ["-p", kind, "--\(end)", "\(number)"])
    }

    /// Packets from a port, in a connection that this machine has opened.
    private static func answers(from port: Int) -> Self {
        var match = Self.port("tcp", "sport", port)
        match.nft += ["ct", "state", "established"]
        match.iptables += ["-m", "conntrack", "--ctstate", "ESTABLISHED"]
        return match
    }

    /// Answers of multicast DNS to one machine alone (RFC 6762, section 6.7), not to a port of a system service.
    private static let unicastAnswers = Self(
        nft: ["udp", "sport", "5353", "udp", "dport", "1024-65535"],
        iptables: ["-p", "udp", "--sport", "5353", "--dport", "1024:65535"]
    )

    /// Packets by which machines join groups of multicast.
    private static let igmp = Self(nft: ["meta", "l4proto", "igmp"], iptables: ["-p", "igmp"])

    /// Packets that ask where a machine is, in IPv4.
    private static let arp = Self(nft: ["meta", "protocol", "arp"], iptables: [])

    /// Packets of ICMPv6 of some types.
    private static func icmpv6(_ types: [Int]) -> Self {
        let set = types.map { "\($0)" }.joined(separator: ", ")
        return Self(
            nft: ["icmpv6", "type", types.count > 1 ? "{ \(set) }" : set],
            iptables: ["-p", "icmpv6", "--icmpv6-type", set]
        )
    }

    /// Returns the packets that a chain must let pass.
    ///
    /// - Returns: The matches; empty if what passes the chain neither comes to this machine nor leaves it.
    static func needed(in chain: FirewallChain, _ ports: [Int], givesAddresses: Bool) -> [Self] {
        let comesIn: Bool
        switch chain.base?.hook {
        case .ingress, .prerouting, .input: comesIn = true
        case .output, .postrouting, .egress: comesIn = false
        case .forward, nil: return []
        }
        let family = chain.place.family
        var matches = ports.flatMap { port in
            [
                Self.port("tcp", "dport", port),
                comesIn && chain.knowsConnections ? answers(from: port) : Self.port("tcp", "sport", port),
            ]
        }
        matches += [.port("udp", "dport", 5353), comesIn ? unicastAnswers : .port("udp", "sport", 5353)]
        if ports.contains(FirewallOpening.phonePort), family != .ip6 {
            matches.append(.port("udp", "dport", FirewallOpening.phonePort))
        }
        if givesAddresses, family != .ip6 { matches.append(.port("udp", comesIn ? "dport" : "sport", 67)) }
        if family != .ip6 { matches.append(igmp) }
        if family != .ip {
            // Neighbour discovery (RFC 4861), and questions and reports of groups (RFC 3810).
            let types = [comesIn ? 130 : 143, 135, 136]
            matches += chain.place.writer == .nft ? [icmpv6(types)] : types.map { icmpv6([$0]) }
        }
        if family == .netdev { matches.append(arp) }
        return matches
    }
}
