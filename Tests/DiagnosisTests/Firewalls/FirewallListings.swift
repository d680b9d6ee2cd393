/// Outputs of `nft -j list ruleset` and of `iptables-save` for firewalls that keep machines apart.
enum FirewallListings {
    /// A VPN that lets nothing out and in but its tunnel.
    static let killSwitch = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "ks", "handle": 1}},
        {"chain": {"family": "inet", "table": "ks", "name": "o", "handle": 1, "type": "filter", "hook": "output",
        "prio": 0, "policy": "drop"}},
        {"chain": {"family": "inet", "table": "ks", "name": "i", "handle": 2, "type": "filter", "hook": "input", "prio":
        0, "policy": "drop"}},
        {"rule": {"family": "inet", "table": "ks", "chain": "o", "handle": 3, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "oifname"}}, "right": "lo"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "ks", "chain": "o", "handle": 4, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "oifname"}}, "right": "tun0"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "ks", "chain": "o", "handle": 5, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "ip", "field": "daddr"}}, "right": "198.51.100.7"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "ks", "chain": "i", "handle": 6, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "iifname"}}, "right": "lo"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "ks", "chain": "i", "handle": 7, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "iifname"}}, "right": "tun0"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "ks", "chain": "i", "handle": 8, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "ip", "field": "saddr"}}, "right": "198.51.100.7"}}, {"accept": null}]}}
        ]}
        """#

    /// Drops large packets.
    static let largePackets = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "x", "handle": 1}},
        {"chain": {"family": "inet", "table": "x", "name": "i", "handle": 1, "type": "filter", "hook": "input", "prio":
        0, "policy": "accept"}},
        {"rule": {"family": "inet", "table": "x", "chain": "i", "handle": 2, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "iifname"}}, "right": "lan0"}}, {"match": {"op": ">", "left": {"meta": {"key": "length"}},
        "right": 600}}, {"drop": null}]}}
        ]}
        """#

    /// Lets in nothing but discovery, not even answers.
    static let noAnswers = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "filter", "handle": 1}},
        {"chain": {"family": "inet", "table": "filter", "name": "input", "handle": 1, "type": "filter", "hook": "input",
        "prio": 0, "policy": "drop"}},
        {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 2, "expr": [{"match": {"op": "==",
        "left": {"meta": {"key": "iifname"}}, "right": "lo"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 3, "expr": [{"match": {"op": "==",
        "left": {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 5, "expr": [{"match": {"op": "==",
        "left": {"payload": {"protocol": "icmpv6", "field": "type"}}, "right": {"set": ["nd-neighbor-solicit",
        "nd-neighbor-advert"]}}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "filter", "chain": "input", "handle": 6, "expr": [{"match": {"op": "==",
        "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": 22}}, {"accept": null}]}}
        ]}
        """#

    /// Lets in discovery and answers alone, in a table with unusual names.
    static let onlyDiscovery = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "fw", "handle": 1}},
        {"chain": {"family": "inet", "table": "fw", "name": "in_", "handle": 1, "type": "filter", "hook": "input",
        "prio": 0, "policy": "drop"}},
        {"rule": {"family": "inet", "table": "fw", "chain": "in_", "handle": 2, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "iifname"}}, "right": "lo"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "fw", "chain": "in_", "handle": 3, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "fw", "chain": "in_", "handle": 4, "expr": [{"match": {"op": "in", "left":
        {"ct": {"key": "state"}}, "right": ["established", "related"]}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "fw", "chain": "in_", "handle": 6, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "icmpv6", "field": "type"}}, "right": {"set": ["nd-neighbor-solicit",
        "nd-neighbor-advert"]}}}, {"accept": null}]}}
        ]}
        """#

    /// Has banned the addresses of the other machine, before other chains.
    static let banned = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "f2b", "handle": 1}},
        {"chain": {"family": "inet", "table": "f2b", "name": "i", "handle": 1, "type": "filter", "hook": "input",
        "prio": -1, "policy": "accept"}},
        {"rule": {"family": "inet", "table": "f2b", "chain": "i", "handle": 2, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "l4proto"}}, "right": "ipv6-icmp"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "f2b", "chain": "i", "handle": 3, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "f2b", "chain": "i", "handle": 4, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "ip", "field": "saddr"}}, "right": "10.77.0.2"}}, {"drop": null}]}},
        {"rule": {"family": "inet", "table": "f2b", "chain": "i", "handle": 5, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "ip6", "field": "saddr"}}, "right": "fd77::2"}}, {"drop": null}]}}
        ]}
        """#

    /// Refuses outgoing connections.
    static let outgoingReset = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "x", "handle": 1}},
        {"chain": {"family": "inet", "table": "x", "name": "i", "handle": 1, "type": "filter", "hook": "output", "prio":
        0, "policy": "accept"}},
        {"rule": {"family": "inet", "table": "x", "chain": "i", "handle": 2, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "oifname"}}, "right": "lan0"}}, {"match": {"op": "==", "left": {"payload": {"protocol": "tcp",
        "field": "dport"}}, "right": 64453}}, {"match": {"op": "==", "left": {"&": [{"payload": {"protocol": "tcp",
        "field": "flags"}}, ["syn", "ack"]]}, "right": "syn"}}, {"reject": {"type": "tcp reset"}}]}}
        ]}
        """#

    /// An application firewall that drops what a user sends.
    static let userDrop = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "opensnitch", "handle": 1}},
        {"chain": {"family": "inet", "table": "opensnitch", "name": "o", "handle": 1, "type": "filter", "hook":
        "output", "prio": 0, "policy": "accept"}},
        {"rule": {"family": "inet", "table": "opensnitch", "chain": "o", "handle": 2, "expr": [{"match": {"op": "==",
        "left": {"meta": {"key": "skuid"}}, "right": 1000}}, {"match": {"op": "==", "left": {"payload": {"protocol":
        "tcp", "field": "dport"}}, "right": 64453}}, {"drop": null}]}}
        ]}
        """#

    /// An application firewall that rejects what a user sends.
    static let userReject = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "opensnitch", "handle": 1}},
        {"chain": {"family": "inet", "table": "opensnitch", "name": "o", "handle": 1, "type": "filter", "hook":
        "output", "prio": 0, "policy": "accept"}},
        {"rule": {"family": "inet", "table": "opensnitch", "chain": "o", "handle": 2, "expr": [{"match": {"op": "==",
        "left": {"meta": {"key": "skuid"}}, "right": 1000}}, {"match": {"op": "==", "left": {"payload": {"protocol":
        "tcp", "field": "dport"}}, "right": 64453}}, {"reject": {"type": "icmpx", "expr": "port-unreachable"}}]}}
        ]}
        """#

    /// Lets out the web and discovery alone.
    static let outgoingDrop = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "filter", "handle": 1}},
        {"chain": {"family": "inet", "table": "filter", "name": "input", "handle": 1, "type": "filter", "hook": "input",
        "prio": 0, "policy": "accept"}},
        {"chain": {"family": "inet", "table": "filter", "name": "output", "handle": 2, "type": "filter", "hook":
        "output", "prio": 0, "policy": "drop"}},
        {"rule": {"family": "inet", "table": "filter", "chain": "output", "handle": 3, "expr": [{"match": {"op": "==",
        "left": {"meta": {"key": "oifname"}}, "right": "lo"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "filter", "chain": "output", "handle": 5, "expr": [{"match": {"op": "==",
        "left": {"payload": {"protocol": "udp", "field": "dport"}}, "right": {"set": [53, 5353]}}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "filter", "chain": "output", "handle": 6, "expr": [{"match": {"op": "==",
        "left": {"meta": {"key": "l4proto"}}, "right": "ipv6-icmp"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "filter", "chain": "output", "handle": 8, "expr": [{"match": {"op": "==",
        "left": {"payload": {"protocol": "tcp", "field": "dport"}}, "right": {"set": [80, 443]}}}, {"accept": null}]}}
        ]}
        """#

    /// Drops everything at the network card.
    static let ingress = #"""
        {"nftables": [
        {"table": {"family": "netdev", "name": "n", "handle": 1}},
        {"chain": {"family": "netdev", "table": "n", "name": "g", "handle": 1, "type": "filter", "hook": "ingress",
        "prio": 0, "policy": "drop"}}
        ]}
        """#

    /// Drops before and after connections are known, in chains that others call.
    static let early = #"""
        {"nftables": [
        {"table": {"family": "inet", "name": "m", "handle": 1}},
        {"chain": {"family": "inet", "table": "m", "name": "r", "handle": 1, "type": "filter", "hook": "prerouting",
        "prio": -300, "policy": "drop"}},
        {"chain": {"family": "inet", "table": "m", "name": "u", "handle": 2}},
        {"chain": {"family": "inet", "table": "m", "name": "g", "handle": 3, "type": "filter", "hook": "prerouting",
        "prio": -150, "policy": "accept"}},
        {"chain": {"family": "inet", "table": "m", "name": "p", "handle": 4, "type": "filter", "hook": "postrouting",
        "prio": 0, "policy": "accept"}},
        {"chain": {"family": "inet", "table": "m", "name": "o", "handle": 5, "type": "route", "hook": "output", "prio":
        -200, "policy": "accept"}},
        {"rule": {"family": "inet", "table": "m", "chain": "r", "handle": 6, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "iifname"}}, "right": "lo"}}, {"accept": null}]}},
        {"rule": {"family": "inet", "table": "m", "chain": "u", "handle": 8, "expr": [{"vmap": {"key": {"payload":
        {"protocol": "tcp", "field": "dport"}}, "data": {"set": [[64453, {"drop": null}]]}}}]}},
        {"rule": {"family": "inet", "table": "m", "chain": "g", "handle": 9, "expr": [{"jump": {"target": "u"}}]}},
        {"rule": {"family": "inet", "table": "m", "chain": "p", "handle": 11, "expr": [{"match": {"op": "==", "left":
        {"meta": {"key": "l4proto"}}, "right": {"set": ["tcp", "udp"]}}}, {"drop": null}]}},
        {"rule": {"family": "inet", "table": "m", "chain": "o", "handle": 12, "expr": [{"match": {"op": "==", "left":
        {"payload": {"protocol": "udp", "field": "dport"}}, "right": 5353}}, {"drop": null}]}}
        ]}
        """#

    /// What `iptables-save` of Debian 12 says of a firewall of its own, with a comment of several words.
    static let iptables = #"""
        # Generated by iptables-nft-save v1.8.9 (nf_tables) on Sun Nov 29 22:55:45 2026
        *raw
        :PREROUTING ACCEPT [0:0]
        :OUTPUT ACCEPT [0:0]
        -A PREROUTING -p tcp -j NFQUEUE --queue-num 1
        COMMIT
        *nat
        :PREROUTING DROP [0:0]
        COMMIT
        *filter
        :INPUT DROP [0:0]
        :FORWARD DROP [0:0]
        :OUTPUT ACCEPT [0:0]
        :bad - [0:0]
        -A INPUT -p tcp -m tcp --dport 1 -m comment --comment hikeshare-tcp-dport-1 -j ACCEPT
        -A INPUT -m comment --comment "a \"b c" -j LOG
        -A OUTPUT -j bad
        -A bad -p tcp -j REJECT --reject-with icmp-port-unreachable
        COMMIT
        # Completed on Sun Nov 29 22:55:45 2026
        """#

    /// The rules of an active ufw in the table `filter`, without those that only log or accept.
    ///
    /// - Parameter outgoing: What becomes of packets that leave the machine.
    /// - Returns: What `iptables-save` says.
    static func ufw(outgoing: String) -> String {
        """
        *filter
        :INPUT DROP [0:0]
        :FORWARD DROP [0:0]
        :OUTPUT \(outgoing) [0:0]
        :ufw-before-input - [0:0]
        :ufw-before-output - [0:0]
        :ufw-user-input - [0:0]
        :ufw-user-output - [0:0]
        -A INPUT -j ufw-before-input
        -A OUTPUT -j ufw-before-output
        -A ufw-before-input -i lo -j ACCEPT
        -A ufw-before-input -m conntrack --ctstate INVALID -j DROP
        -A ufw-before-input -j ufw-user-input
        -A ufw-before-output -o lo -j ACCEPT
        -A ufw-before-output -j ufw-user-output
        COMMIT
        """
    }

    /// What `ufw show added` says of rules of a person and of this program.
    static let ufwRules = """
        Added user rules (see 'ufw status' for running firewall):
        ufw allow 5353/udp
        ufw allow 22/tcp comment 'mine'
        ufw allow 64453/tcp comment 'hikeshare'

        """
}
