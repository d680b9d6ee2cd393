/// A chain of the kernel's packet filter (nftables, or iptables of either kind).
package struct FirewallChain: Hashable, Sendable {
    /// What writes a chain: rules must be added by the program that can still read them afterwards.
    package enum Writer: Hashable, Sendable {
        case nft
        /// A program such as `iptables-nft` or `ip6tables-legacy`.
        case iptables(program: String)
    }

    /// The packets that a table sees.
    package enum Family: String, Hashable, Sendable {
        case inet, ip, ip6, netdev, bridge, arp
    }

    /// The place in the kernel from which a chain is called.
    package enum Hook: String, CaseIterable, Hashable, Sendable {
        case ingress, prerouting, input, forward, output, postrouting, egress
    }

    /// Where a chain is.
    package struct Place: Hashable, Sendable {
        package var writer: Writer
        package var family: Family
        package var table: String
        package var name: String
    }

    /// What a chain that the kernel calls is like.
    package struct Base: Hashable, Sendable {
        package var hook: Hook
        /// Chains of the same hook are called in this order, the lowest first.
        package var priority: Int
        /// Whether packets that no rule matches are dropped.
        package var dropsByPolicy: Bool
    }

    /// A rule, as far as this program must know it.
    package struct Rule: Hashable, Sendable {
        /// What deletes the rule: its handle (nft), or its words (iptables).
        package var words: [String]
        /// The comment; nil for none.
        package var comment: String?
        /// Whether the rule may drop a packet, by a verdict, or by something that is not known.
        package var canDrop: Bool
        /// The chains to which the rule leads.
        package var targets: [String]

        /// Whether this program has added the rule.
        var isOwn: Bool { comment?.hasPrefix(PacketMatch.mark) == true }
    }

    package var place: Place
    /// Nil for a chain that only other chains call, and for one that translates addresses and decides nothing.
    package var base: Base?
    package var rules: [Rule]

    /// Whether connections are known where the chain is called; `conntrack` has the priority −200 (nft(8)).
    var knowsConnections: Bool {
        switch base?.hook {
        case .input, .forward, .postrouting: true
        case .prerouting, .output: base.map { $0.priority > -200 } ?? false
        case .ingress, .egress, nil: false
        }
    }
}
