import Testing

@testable import Diagnosis

/// What is read of rules, and which chains may drop packets.
@Suite struct RulesetTests {
    private static func dropping(_ listing: String) throws -> [String] {
        try #require(Ruleset(nftables: listing)).dropping().map { $0.place.words.joined(separator: " ") }
    }

    @Test(arguments: [
        (FirewallListings.killSwitch, ["inet ks i", "inet ks o"]), (FirewallListings.largePackets, ["inet x i"]),
        (FirewallListings.noAnswers, ["inet filter input"]), (FirewallListings.onlyDiscovery, ["inet fw in_"]),
        (FirewallListings.banned, ["inet f2b i"]), (FirewallListings.outgoingReset, ["inet x i"]),
        (FirewallListings.userDrop, ["inet opensnitch o"]), (FirewallListings.userReject, ["inet opensnitch o"]),
        (FirewallListings.outgoingDrop, ["inet filter output"]), (FirewallListings.ingress, ["netdev n g"]),
        (FirewallListings.early, ["inet m r", "inet m g", "inet m o", "inet m p"]),
    ])
    func chainsThatMayDropAreFoundInTheirOrder(listing: String, chains: [String]) throws {
        #expect(try Self.dropping(listing) == chains)
    }

    /// A chain of the hook `input`, and perhaps what it leads to.
    private static func chain(_ statements: String, policy: String = "accept", further: String = "") -> String {
        """
        {"nftables": [{"metainfo": {"version": "9"}}, {"set": {"elem": [1, 2]}},
        {"chain": {"family": "ip", "table": "t", "name": "c", "handle": 1, "type": "filter", "hook": "input", "prio": 0,
        "policy": "\(policy)"}}, \(further)
        {"rule": {"family": "ip", "table": "t", "chain": "c", "handle": 7, "expr": [\(statements)]}}]}
        """
    }

    private static func further(_ statement: String) -> String {
        #"{"chain": {"family": "ip", "table": "t", "name": "d", "handle": 2}},"#
            + #"{"rule": {"family": "ip", "table": "t", "chain": "d", "handle": 8, "expr": [\#(statement)]}},"#
    }

    @Test(arguments: [
        #"{"accept": null}"#, #"{"counter": {"packets": 0, "bytes": 0}}, {"return": null}"#,
        #"{"log": {"prefix": "x"}}"#, #"{"xt": {"type": "match", "name": "comment"}}"#,
        #"{"xt": {"type": "target", "name": "LOG"}}"#,
    ])
    func whatOnlyCountsOrAcceptsDropsNothing(statement: String) throws {
        #expect(try Self.dropping(Self.chain(statement)) == [])
        let loop = Self.further(statement + #", {"goto": {"target": "c"}}"#)
        #expect(try Self.dropping(Self.chain(#"{"jump": {"target": "d"}}"#, further: loop)) == [])
        #expect(try Self.dropping(Self.chain(statement, policy: "drop")) == ["ip t c"])
    }

    @Test(arguments: [
        #"{"drop": null}"#, #"{"reject": {"type": "tcp reset"}}"#, #"{"queue": {"num": 1}}"#,
        #"{"vmap": {"key": {"ct": {"key": "state"}}, "data": "@verdicts"}}"#, #"{"xt": null}"#,
        #"{"xt": {"type": "target", "name": "REJECT"}}"#, #"{"madeUpLater": {"x": [1]}}"#, #""word""#,
    ])
    func whatIsNotKnownMayDrop(statement: String) throws {
        #expect(try Self.dropping(Self.chain(statement)) == ["ip t c"])
        let jump = Self.chain(#"{"jump": {"target": "d"}}"#, further: Self.further(statement))
        #expect(try Self.dropping(jump) == ["ip t c"])
        #expect(try Self.dropping(Self.chain(#"{"jump": {"target": "nowhere"}}"#)) == ["ip t c"])
    }

    @Test func aChainThatTranslatesAddressesDecidesNothing() throws {
        let listing = Self.chain(#"{"drop": null}"#).replacing(#""type": "filter""#, with: #""type": "nat""#)
        #expect(try Self.dropping(listing) == [])
    }

    @Test(arguments: ["", "{}", "[]", #"{"nftables": 7}"#, String(repeating: "[", count: 100_000)])
    func whatIsNoListingIsRefused(text: String) {
        #expect(Ruleset(nftables: text) == nil)
    }

    @Test(arguments: [
        #"{"chain": {"family": "quantum", "table": "t", "name": "c"}}"#, #"{"chain": 7}"#,
        #"{"rule": {"family": "ip"}}"#, "7",
    ])
    func anEntryThatIsNotUnderstoodIsTold(entry: String) throws {
        let ruleset = try #require(Ruleset(nftables: #"{"nftables": [\#(entry)]}"#))
        #expect(ruleset.hasUnknown)
        #expect(FirewallOpening.remarks(on: FirewallState(ruleset: ruleset)) == [.unknownRules])
    }

    @Test func rulesOfIPTablesAreRead() throws {
        let ruleset = Ruleset(iptables: FirewallListings.iptables, program: "iptables-nft", .ip)
        #expect(!ruleset.hasUnknown)
        let dropping = ruleset.dropping().filter { $0.base?.hook != .forward }
        #expect(
            dropping.map { "\($0.place.table) \($0.place.name)" } == [
                "raw PREROUTING", "filter INPUT", "filter OUTPUT",
            ]
        )
        #expect(dropping.map(\.knowsConnections) == [false, true, true])
        let rules = try #require(dropping.dropFirst().first?.rules)
        #expect(rules.map(\.comment) == ["hikeshare-tcp-dport-1", #"a "b c"#])
        #expect(rules.map(\.isOwn) == [true, false])
        #expect(
            rules.first?.words == ["-p", "tcp", "-m", "tcp", "--dport", "1", "-m", "comment", "--comment"]
                + ["hikeshare-tcp-dport-1", "-j", "ACCEPT"]
        )
    }
}
