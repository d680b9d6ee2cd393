import LocalSend

/// Opens the firewall of this machine for hikeshare, and closes it again: decides which commands do that.
///
/// Rules are added at the top of each chain that may drop packets, because an accepted packet still passes all later chains.
/// ufw and firewalld are asked themselves.
package struct FirewallOpening: Hashable, Sendable {
    /// The port of LocalSend, at which devices also listen for packets to everybody (UDP).
    package static let phonePort = Int(LocalSendLimits.usualPort)

    /// The TCP ports.
    package var ports: [Int]
    /// Whether this machine gives addresses to others (DHCP), in a Wi-Fi network of its own.
    package var givesAddresses: Bool

    package init(ports: [Int], givesAddresses: Bool = false) {
        (self.ports, self.givesAddresses) = (ports, givesAddresses)
    }

    /// Something that a person must know about a firewall that was opened.
    package enum Remark: Hashable, Sendable {
        /// No program could read the rules.
        case unread
        /// There are rules that are not understood.
        case unknownRules
        /// A chain may drop packets, and this program changes no such chain: of a bridge, of ARP, or with an unusual name.
        case untouched(FirewallChain.Place)
    }

    /// Returns the commands that let pass what does not pass yet, in their order; none if nothing here drops anything.
    package func commands(for state: FirewallState) -> [FirewallCommand] {
        var state = state
        // ufw adds no rule beside one of the person that does the opposite with the same packets.
        let opposed = (state.ufw ?? []).filter { !$0.text.hasPrefix("allow ") }.map { $0.text.drop { $0 != " " } }
        if ufwRules(isOutgoingToo: true).contains(where: { opposed.contains($0.drop { $0 != " " }) }) {
            state.ufw = nil
        }
        return managed(state) + Self.chains(of: state).flatMap(insertions)
    }

    /// Returns the commands that take out what ``commands(for:)`` has added.
    ///
    /// Of the zones of firewalld, which know no comments, this takes out the ports and multicast DNS, unless they pass permanently.
    package func closing(_ state: FirewallState) -> [FirewallCommand] {
        let ufw = (state.ufw ?? []).filter(\.isOwn).map { rule in
            FirewallCommand("ufw", ["delete"] + rule.text.split(separator: " ").map(String.init))
        }
        let firewalld = state.firewalld.flatMap { area in
            passes(area).filter { area.passing.contains($0) && !area.permanent.contains($0) }
                .map { FirewallCommand("firewall-cmd", [area.option, "--remove-\($0)"]) }
        }
        let rules = (state.ruleset?.chains ?? []).flatMap { chain in
            chain.rules.filter(\.isOwn).map { rule in
                switch chain.place.writer {
                case .nft: FirewallCommand("nft", ["delete", "rule"] + chain.place.words + rule.words)
                case .iptables(let program):
                    FirewallCommand(program, ["-w", "-t", chain.place.table, "-D", chain.place.name] + rule.words)
                }
            }
        }
        return ufw + firewalld + rules
    }

    /// Returns what cannot be known or done.
    package static func remarks(on state: FirewallState) -> [Remark] {
        guard let ruleset = state.ruleset else { return state.firewalld.isEmpty && state.ufw == nil ? [.unread] : [] }
        let untouched = ruleset.dropping(state.isManaged).filter { !$0.place.isChangeable && $0.base?.hook != .forward }
        return (ruleset.hasUnknown ? [.unknownRules] : []) + untouched.map { .untouched($0.place) }
    }

    private static func chains(of state: FirewallState) -> [FirewallChain] {
        (state.ruleset?.dropping(state.isManaged) ?? []).filter(\.place.isChangeable)
    }

    /// The UDP ports that LocalSend needs, if its TCP port is opened.
    private var phonePorts: [Int] { ports.contains(Self.phonePort) ? [Self.phonePort] : [] }

    /// The commands for one chain; the last of them adds the first rule.
    private func insertions(into chain: FirewallChain) -> [FirewallCommand] {
        // What stands behind a rule of others may be too late.
        let present = Set(chain.rules.prefix(while: \.isOwn).compactMap(\.comment))
        let matches = PacketMatch.needed(in: chain, ports, givesAddresses: givesAddresses)
        return matches.filter { !present.contains($0.comment) }.reversed().map { match in
            switch chain.place.writer {
            case .nft:
                FirewallCommand(
                    "nft",
                    ["insert", "rule"] + chain.place.words + match.nft + ["accept", "comment", match.comment]
                )
            case .iptables(let program):
                FirewallCommand(
                    program,
                    ["-w", "-t", chain.place.table, "-I", chain.place.name] + match.iptables
                        + ["-m", "comment", "--comment", match.comment, "-j", "ACCEPT"]
                )
            }
        }
    }

    /// The commands for ufw and firewalld.
    private func managed(_ state: FirewallState) -> [FirewallCommand] {
        let present = state.ufw.map { Set($0.map(\.text)) }
        let ufw = present.map { present in
            ufwRules(isOutgoingToo: state.ufwDropsOutgoing).filter { !present.contains($0) }.map { rule in
                // A rule of the person may deny what a later one allows.
                FirewallCommand(
                    "ufw",
                    ["prepend"] + rule.split(separator: " ").map(String.init) + ["comment", UFWRule.comment]
                )
            }
        }
        return (ufw ?? [])
            + state.firewalld.flatMap { area in
                // It takes one at a time.
                passes(area).filter { !area.passing.contains($0) }
                    .map { FirewallCommand("firewall-cmd", [area.option, "--add-\($0)"]) }
            }
    }

    /// The rules of ufw, in the words in which it shows them.
    private func ufwRules(isOutgoingToo: Bool) -> [String] {
        let given = givesAddresses ? ["67/udp"] : []
        let wanted = ports.map { "\($0)/tcp" } + ["5353/udp"] + phonePorts.map { "\($0)/udp" }
        let incoming =
            (wanted + given).map { "allow \($0)" } + ["allow from any port 5353 to any port 1024:65535 proto udp"]
        guard isOutgoingToo else { return incoming }
        // The rest of a connection, and answers to those who have asked, pass by themselves.
        return incoming + wanted.map { "allow out \($0)" } + ["allow out from any port 5353 proto udp"]
    }

    /// What must pass a zone of firewalld, or a policy for what leaves this machine.
    private func passes(_ area: FirewalldArea) -> [String] {
        let isPolicy = area.option.hasPrefix("--policy")
        return ports.map { "port=\($0)/tcp" } + phonePorts.map { "port=\($0)/udp" } + ["service=mdns"]
            + (isPolicy ? ["source-port=5353/udp", "protocol=ipv6-icmp"] : givesAddresses ? ["service=dhcp"] : [])
    }
}

extension FirewallChain.Place {
    /// The words that name the chain in a command of nft.
    var words: [String] { [family.rawValue, table, name] }

    /// Whether rules can be added: nft takes no name that its grammar does not have.
    var isChangeable: Bool {
        [.inet, .ip, .ip6, .netdev].contains(family)
            && [table, name].allSatisfy { word in
                word.utf8.count <= 128 && word.first?.isLetter == true
                    && word.utf8.allSatisfy { $0 < 128 }
                    && word.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
            }
    }
}
