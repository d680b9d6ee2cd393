import Testing

@testable import Diagnosis

/// Which commands open a firewall, and which close it again.
@Suite struct FirewallOpeningTests {
    private static let opening = FirewallOpening(ports: [64_453])

    private static let nft = [
        FirewallListings.killSwitch, FirewallListings.largePackets, FirewallListings.noAnswers,
        FirewallListings.onlyDiscovery,
        FirewallListings.banned, FirewallListings.outgoingReset, FirewallListings.userDrop, FirewallListings.userReject,
        FirewallListings.outgoingDrop, FirewallListings.ingress, FirewallListings.early,
    ]

    private static func state(_ listing: String) throws -> FirewallState {
        let ruleset = try #require(Ruleset(nftables: listing))
        return FirewallState(ruleset: ruleset)
    }

    private static func texts(_ commands: [FirewallCommand]) -> [String] { commands.map(\.text) }

    @Test func aKillSwitchIsOpenedInBothDirections() throws {
        #expect(
            try Self.texts(Self.opening.commands(for: Self.state(FirewallListings.killSwitch))) == [
                "nft insert rule inet ks i icmpv6 type '{ 130, 135, 136 }' accept comment hikeshare-icmpv6-type-130-135-136",
                "nft insert rule inet ks i meta l4proto igmp accept comment hikeshare-meta-l4proto-igmp",
                "nft insert rule inet ks i udp sport 5353 udp dport 1024-65535 accept "
                    + "comment hikeshare-udp-sport-5353-udp-dport-1024-65535",
                "nft insert rule inet ks i udp dport 5353 accept comment hikeshare-udp-dport-5353",
                "nft insert rule inet ks i tcp sport 64453 ct state established accept "
                    + "comment hikeshare-tcp-sport-64453-ct-state-established",
                "nft insert rule inet ks i tcp dport 64453 accept comment hikeshare-tcp-dport-64453",
                "nft insert rule inet ks o icmpv6 type '{ 143, 135, 136 }' accept comment hikeshare-icmpv6-type-143-135-136",
                "nft insert rule inet ks o meta l4proto igmp accept comment hikeshare-meta-l4proto-igmp",
                "nft insert rule inet ks o udp sport 5353 accept comment hikeshare-udp-sport-5353",
                "nft insert rule inet ks o udp dport 5353 accept comment hikeshare-udp-dport-5353",
                "nft insert rule inet ks o tcp sport 64453 accept comment hikeshare-tcp-sport-64453",
                "nft insert rule inet ks o tcp dport 64453 accept comment hikeshare-tcp-dport-64453",
            ]
        )
    }

    /// Before connections are known, and at the card, ports alone tell.
    @Test func earlyChainsAreOpenedByPorts() throws {
        let early = try Self.texts(Self.opening.commands(for: Self.state(FirewallListings.early)))
        #expect(early.contains("nft insert rule inet m r tcp sport 64453 accept comment hikeshare-tcp-sport-64453"))
        #expect(early.contains { $0.hasPrefix("nft insert rule inet m g tcp sport 64453 ct state established accept") })
        #expect(early.contains("nft insert rule inet m p tcp dport 64453 accept comment hikeshare-tcp-dport-64453"))
        let card = try Self.texts(Self.opening.commands(for: Self.state(FirewallListings.ingress)))
        #expect(card.contains("nft insert rule netdev n g tcp sport 64453 accept comment hikeshare-tcp-sport-64453"))
        #expect(
            card.contains("nft insert rule netdev n g meta protocol arp accept comment hikeshare-meta-protocol-arp")
        )
    }

    /// Does what the commands say to rules that are values.
    private static func applied(_ commands: [FirewallCommand], to state: FirewallState) throws -> FirewallState {
        var state = state
        for (number, command) in commands.enumerated() {
            let words = command.arguments
            let index = try #require(state.ruleset?.chains.firstIndex { $0.place.words == Array(words[2..<5]) })
            if words[0] == "insert" {
                let rule = FirewallChain.Rule(
                    words: ["handle", "\(1000 + number)"],
                    comment: words.last,
                    canDrop: false,
                    targets: []
                )
                state.ruleset?.chains[index].rules.insert(rule, at: 0)
            } else {
                state.ruleset?.chains[index].rules.removeAll { $0.words == Array(words[5...]) }
            }
        }
        return state
    }

    @Test(arguments: nft) func aSecondTimeThereIsNothingToDoAndClosingTakesOutTheSame(listing: String) throws {
        let before = try Self.state(listing)
        let commands = Self.opening.commands(for: before)
        #expect(!commands.isEmpty)
        #expect(Self.opening.closing(before) == [])
        let open = try Self.applied(commands, to: before)
        #expect(Self.opening.commands(for: open) == [])
        let closing = Self.opening.closing(open)
        #expect(closing.count == commands.count)
        #expect(try Self.applied(closing, to: open) == before)
    }

    /// What stands behind a rule that drops is too late.
    @Test func aRuleBehindOthersIsAddedAgain() throws {
        let before = try Self.state(FirewallListings.userDrop)
        var open = try Self.applied(Self.opening.commands(for: before), to: before)
        let rule = try #require(before.ruleset?.chains.first?.rules.first)
        open.ruleset?.chains[0].rules.insert(rule, at: 1)
        #expect(Self.opening.commands(for: open).count == Self.opening.commands(for: before).count - 1)
    }

    @Test func aHotspotGivesAddresses() throws {
        let opening = FirewallOpening(ports: [64_453, 8080], givesAddresses: true)
        let texts = try Self.texts(opening.commands(for: Self.state(FirewallListings.noAnswers)))
        #expect(texts.contains("nft insert rule inet filter input udp dport 67 accept comment hikeshare-udp-dport-67"))
        #expect(
            texts.contains("nft insert rule inet filter input tcp dport 8080 accept comment hikeshare-tcp-dport-8080")
        )
    }

    /// Phones with LocalSend also send packets to everybody.
    @Test func thePortOfPhonesIsOpenedForBothProtocols() throws {
        let opening = FirewallOpening(ports: [53_317])
        let texts = try Self.texts(opening.commands(for: Self.state(FirewallListings.killSwitch)))
        for chain in ["i", "o"] {
            #expect(
                texts.contains(
                    "nft insert rule inet ks \(chain) udp dport 53317 accept comment hikeshare-udp-dport-53317"
                )
            )
        }
        #expect(texts.contains("nft insert rule inet ks i tcp dport 53317 accept comment hikeshare-tcp-dport-53317"))
        let ufw = Self.texts(opening.commands(for: try Self.ufw(outgoing: "ACCEPT")))
        #expect(ufw.contains { $0.contains("allow 53317/udp") } && ufw.contains { $0.contains("allow 53317/tcp") })
        let usual = Self.texts(Self.opening.commands(for: try Self.ufw(outgoing: "ACCEPT")))
        #expect(usual.allSatisfy { !$0.contains("53317") })
    }

    /// nft would add rules that iptables does not understand.
    @Test func tablesOfIPTablesAreChangedByIPTables() throws {
        let ruleset = Ruleset(iptables: FirewallListings.iptables, program: "ip6tables-nft", .ip6)
        let state = FirewallState(ruleset: ruleset)
        let texts = Self.texts(Self.opening.commands(for: state))
        #expect(
            texts.contains(
                "ip6tables-nft -w -t filter -I INPUT -p tcp --sport 64453 -m conntrack --ctstate ESTABLISHED "
                    + "-m comment --comment hikeshare-tcp-sport-64453-ct-state-established -j ACCEPT"
            )
        )
        #expect(
            texts.contains(
                "ip6tables-nft -w -t raw -I PREROUTING -p icmpv6 --icmpv6-type 130 -m comment "
                    + "--comment hikeshare-icmpv6-type-130 -j ACCEPT"
            )
        )
        #expect(!texts.contains { $0.contains("FORWARD") || $0.contains("-t nat") || $0.contains("igmp") })
        #expect(
            Self.texts(Self.opening.closing(state)) == [
                "ip6tables-nft -w -t filter -D INPUT -p tcp -m tcp --dport 1 -m comment --comment hikeshare-tcp-dport-1 -j ACCEPT"
            ]
        )
    }

    private static func ufw(outgoing: String, and other: String? = nil) throws -> FirewallState {
        var ruleset = Ruleset(iptables: FirewallListings.ufw(outgoing: outgoing), program: "iptables-nft", .ip)
        if let other { ruleset.chains += try #require(Ruleset(nftables: other)).chains }
        return FirewallState(ruleset: ruleset, ufw: UFWRule.read(FirewallListings.ufwRules))
    }

    @Test func ufwIsAskedItself() throws {
        let incoming = ["ufw prepend allow from any port 5353 to any port 1024:65535 proto udp comment hikeshare"]
        // The rest is there already, of this program or of the person.
        #expect(try Self.texts(Self.opening.commands(for: Self.ufw(outgoing: "ACCEPT"))) == incoming)
        #expect(
            try Self.texts(Self.opening.commands(for: Self.ufw(outgoing: "DROP"))) == incoming + [
                "ufw prepend allow out 64453/tcp comment hikeshare", "ufw prepend allow out 5353/udp comment hikeshare",
                "ufw prepend allow out from any port 5353 proto udp comment hikeshare",
            ]
        )
        #expect(try Self.texts(Self.opening.closing(Self.ufw(outgoing: "DROP"))) == ["ufw delete allow 64453/tcp"])
    }

    @Test func whatPassesAZoneIsRead() {
        let listing = """
            public (default)
              target: default
              services: dhcpv6-client ssh
              ports: 64453/tcp 22/tcp
              protocols:\u{20}
              forward-ports:\u{20}
              source-ports: 5353/udp
            """
        #expect(
            FirewalldArea.passing(listing) == [
                "service=dhcpv6-client", "service=ssh", "port=64453/tcp", "port=22/tcp", "source-port=5353/udp",
            ]
        )
    }

    /// ufw would say that such a rule exists already.
    @Test func aRuleOfUFWForTheOppositeIsPassedBy() throws {
        var state = try Self.ufw(outgoing: "ACCEPT")
        state.ufw = [UFWRule(text: "deny 64453/tcp", isOwn: false)]
        let texts = Self.texts(Self.opening.commands(for: state))
        #expect(!texts.isEmpty && texts.allSatisfy { $0.hasPrefix("iptables-nft -w -t filter -I INPUT ") })
        state.ufw = [UFWRule(text: "deny out 22/tcp", isOwn: false)]
        #expect(Self.texts(Self.opening.commands(for: state)).allSatisfy { $0.hasPrefix("ufw prepend allow ") })
    }

    @Test func otherTablesThanThoseOfUFWAreOpenedToo() throws {
        let texts = try Self.texts(
            Self.opening.commands(for: Self.ufw(outgoing: "ACCEPT", and: FirewallListings.onlyDiscovery))
        )
        #expect(texts.first?.hasPrefix("ufw ") == true)
        #expect(texts.dropFirst().allSatisfy { $0.hasPrefix("nft insert rule inet fw in_ ") })
        #expect(texts.count == 7)
    }

    @Test func firewalldIsAskedItself() throws {
        let options = FirewalldArea.options(
            zones: "home\n  interfaces: lan0\nwork (default)\n  interfaces: lan1\n",
            usual: "work\n",
            policies:
                "allow-host-ipv6\n  ingress-zones: ANY\n  egress-zones: HOST\n"
                + "lock (active)\n  ingress-zones: HOST\n  egress-zones: ANY\n"
        )
        #expect(options == ["--zone=work", "--zone=home", "--policy=lock"])
        let listing = FirewallListings.noAnswers.replacing(#""filter", "name""#, with: #""firewalld", "name""#)
            .replacing(#""table": "filter", "chain""#, with: #""table": "firewalld", "chain""#)
        var state = try Self.state(listing)
        state.firewalld = [
            FirewalldArea(
                option: "--zone=work",
                passing: ["service=ssh", "port=64453/tcp", "service=mdns"],
                permanent: ["service=ssh", "service=mdns"]
            ),
            FirewalldArea(option: "--zone=home", passing: ["service=mdns"]), FirewalldArea(option: "--policy=lock"),
        ]
        #expect(
            Self.texts(Self.opening.commands(for: state)) == [
                "firewall-cmd --zone=home --add-port=64453/tcp", "firewall-cmd --policy=lock --add-port=64453/tcp",
                "firewall-cmd --policy=lock --add-service=mdns",
                "firewall-cmd --policy=lock --add-source-port=5353/udp",
                "firewall-cmd --policy=lock --add-protocol=ipv6-icmp",
            ]
        )
        #expect(
            Self.texts(Self.opening.closing(state)) == [
                "firewall-cmd --zone=work --remove-port=64453/tcp", "firewall-cmd --zone=home --remove-service=mdns",
            ]
        )
        // Its table without it is a table as any other.
        state.firewalld = []
        #expect(Self.opening.commands(for: state).count == 6)
    }

    @Test func whatIsNotChangedIsTold() throws {
        let bridge = try Self.state(FirewallListings.noAnswers.replacing("inet", with: "bridge"))
        let place = try #require(bridge.ruleset?.chains.first?.place)
        #expect(Self.opening.commands(for: bridge) == [])
        #expect(FirewallOpening.remarks(on: bridge) == [.untouched(place)])
        // A name that would be another command is no name.
        let named = try Self.state(
            FirewallListings.noAnswers.replacing(#""input", "handle""#, with: #""a; flush ruleset", "handle""#)
        )
        #expect(Self.opening.commands(for: named) == [])
        #expect(FirewallOpening.remarks(on: named).count == 1)
        #expect(FirewallOpening.remarks(on: FirewallState(ruleset: nil)) == [.unread])
        #expect(FirewallOpening.remarks(on: FirewallState(ruleset: Ruleset())) == [])
    }

    @Test func aPersonIsToldOneCommand() {
        func command(_ ports: [Int], program: String = "hikeshare", givesAddresses: Bool = false) -> String {
            FirewallRemedy.command(ports: ports, usualPort: 64_453, program: program, givesAddresses: givesAddresses)
        }
        #expect(command([64_453]) == "sudo hikeshare doctor --open-firewall")
        #expect(command([5000]) == "sudo hikeshare doctor --open-firewall --port 5000")
        #expect(
            command([64_453, 8080], givesAddresses: true)
                == "sudo hikeshare doctor --open-firewall --port 64453 --port 8080 --hotspot"
        )
        #expect(command([64_453], program: "/home/a b/it's") == "sudo '/home/a b/it'\\''s' doctor --open-firewall")
    }
}
