import FoundationEssentials

extension Ruleset {
    /// Reads the output of `nft -j list ruleset` (libnftables-json(5)); nil if it is no such output.
    ///
    /// A statement that is not known counts as one that may drop packets.
    package init?(nftables text: String) {
        guard let listing = try? JSONDecoder().decode(Listing.self, from: Data(text.utf8)) else { return nil }
        self.init()
        var rules: [FirewallChain.Place: [FirewallChain.Rule]] = [:]
        for entry in listing.nftables {
            switch entry {
            case .chain(let place, let base): chains.append(FirewallChain(place: place, base: base, rules: []))
            case .rule(let place, let rule): rules[place, default: []].append(rule)
            case .other: break
            case .unknown: hasUnknown = true
            }
        }
        for index in chains.indices { chains[index].rules = rules[chains[index].place] ?? [] }
    }

    private struct Listing: Decodable {
        var nftables: [Entry]
    }

    private enum Entry: Decodable {
        case chain(FirewallChain.Place, FirewallChain.Base?)
        case rule(FirewallChain.Place, FirewallChain.Rule)
        case other
        case unknown

        private enum Key: CodingKey { case chain, rule }

        init(from decoder: any Decoder) throws {
            guard let fields = try? decoder.container(keyedBy: Key.self) else {
                self = .unknown
                return
            }
            if fields.contains(.chain) {
                self = (try? fields.decode(ChainFields.self, forKey: .chain).entry) ?? .unknown
            } else if fields.contains(.rule) {
                self = (try? fields.decode(RuleFields.self, forKey: .rule).entry) ?? .unknown
            } else {
                self = .other
            }
        }
    }

    private struct ChainFields: Decodable {
        var family: String
        var table: String
        var name: String
        var type: String?
        var hook: String?
        var prio: Int?
        var policy: String?

        var entry: Entry? {
            guard let family = FirewallChain.Family(rawValue: family) else { return nil }
            let place = FirewallChain.Place(writer: .nft, family: family, table: table, name: name)
            guard let hook, type != "nat" else { return .chain(place, nil) }
            guard let hook = FirewallChain.Hook(rawValue: hook) else { return nil }
            return .chain(
                place,
                FirewallChain.Base(
                    hook: hook,
                    priority: prio ?? 0,
                    dropsByPolicy: policy.map { $0 != "accept" } ?? false
                )
            )
        }
    }

    private struct RuleFields: Decodable {
        var family: String
        var table: String
        var chain: String
        var handle: Int
        var comment: String?
        var expr: [Statement]?

        var entry: Entry? {
            guard let family = FirewallChain.Family(rawValue: family) else { return nil }
            let statements = expr ?? []
            return .rule(
                FirewallChain.Place(writer: .nft, family: family, table: table, name: chain),
                FirewallChain.Rule(
                    words: ["handle", "\(handle)"],
                    comment: comment,
                    canDrop: statements.contains(where: \.canDrop),
                    targets: statements.compactMap(\.target)
                )
            )
        }
    }

    /// A statement of a rule: an object with one key, or a word.
    private struct Statement: Decodable {
        var canDrop = false
        var target: String?

        private struct Jump: Decodable { var target: String }
        private struct Extension: Decodable {
            var type: String
            var name: String
        }
        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            guard let fields = try? decoder.container(keyedBy: Key.self), let key = fields.allKeys.first else {
                canDrop = true
                return
            }
            switch key.stringValue {
            case "jump", "goto":
                target = try? fields.decode(Jump.self, forKey: key).target
                canDrop = target == nil
            case "xt":
                // What iptables has in a table of nftables.
                let part = try? fields.decode(Extension.self, forKey: key)
                canDrop = part.map { $0.type == "target" && !FirewallTarget.isHarmless($0.name) } ?? true
            case let word:
                canDrop = !Self.harmless.contains(word)
            }
        }

        /// What lets packets pass, or decides nothing.
        private static let harmless: Set = [
            "accept", "return", "continue", "match", "counter", "log", "limit", "mangle", "notrack", "quota", "last",
            "comment",
            "ct helper", "ct timeout", "ct expectation", "ct count", "set", "map", "meter", "flow", "dup", "snat",
            "dnat",
            "masquerade", "redirect", "secmark",
        ]
    }
}

/// The targets of iptables (iptables-extensions(8)).
enum FirewallTarget {
    /// Whether a target lets packets pass, or decides nothing.
    static func isHarmless(_ name: String) -> Bool { harmless.contains(name) }

    private static let harmless: Set = [
        "ACCEPT", "RETURN", "LOG", "NFLOG", "ULOG", "MARK", "CONNMARK", "CT", "NOTRACK", "TCPMSS", "TRACE", "AUDIT",
        "CHECKSUM",
        "CLASSIFY", "DSCP", "TOS", "TTL", "HL", "ECN", "SET", "TEE", "CONNSECMARK", "SECMARK", "IDLETIMER", "LED",
    ]
}
