/// The firewall of a machine, as root can read it.
package struct FirewallState: Hashable, Sendable {
    /// The rules; nil if no program could read them.
    package var ruleset: Ruleset?
    /// The rules of ufw; nil if it is not active.
    package var ufw: [UFWRule]?
    /// The zones and policies of firewalld that concern this machine; empty if it is not running.
    package var firewalld: [FirewalldArea]

    package init(ruleset: Ruleset?, ufw: [UFWRule]? = nil, firewalld: [FirewalldArea] = []) {
        (self.ruleset, self.ufw, self.firewalld) = (ruleset, ufw, firewalld)
    }

    /// Whether a program that is asked itself manages a chain.
    func isManaged(_ place: FirewallChain.Place) -> Bool {
        !firewalld.isEmpty && place.table == "firewalld"
            || ufw != nil && (place.name.hasPrefix("ufw-") || place.name.hasPrefix("ufw6-"))
    }

    /// Whether ufw keeps packets back that leave this machine.
    var ufwDropsOutgoing: Bool {
        guard ufw != nil, let ruleset else { return false }
        // The rules for IPv6 always drop some useless packets.
        return ruleset.dropping().contains { chain in
            chain.base?.hook == .output && chain.place.family == .ip
                && chain.rules.contains { $0.targets.contains { $0.hasPrefix("ufw-") } }
        }
    }
}

/// A rule that was added to ufw.
package struct UFWRule: Hashable, Sendable {
    /// The arguments of ufw(8), without the comment.
    package var text: String
    /// Whether this program has added it.
    package var isOwn: Bool

    /// Reads the output of `ufw show added`.
    package static func read(_ text: String) -> [UFWRule] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            guard line.hasPrefix("ufw ") else { return nil }
            let rule = line.dropFirst(4)
            guard let comment = rule.firstRange(of: " comment ") else {
                return UFWRule(text: String(rule), isOwn: false)
            }
            return UFWRule(
                text: String(rule[..<comment.lowerBound]),
                isOwn: rule[comment.upperBound...].filter { $0 != "'" } == Self.comment
            )
        }
    }

    /// The comment of rules that this program adds.
    static let comment = "hikeshare"
}

/// What a zone or a policy of firewalld lets pass.
package struct FirewalldArea: Hashable, Sendable {
    /// The option that names it, such as `--zone=public`.
    package var option: String
    /// What passes now, in the words that follow `--add-`, such as `port=64453/tcp` and `service=mdns`.
    package var passing: Set<String>
    /// Those of them that pass after a restart, too.
    package var permanent: Set<String>

    package init(option: String, passing: Set<String> = [], permanent: Set<String> = []) {
        (self.option, self.passing, self.permanent) = (option, passing, permanent)
    }

    /// Reads what passes from the output of `firewall-cmd --list-all`.
    package static func passing(_ text: String) -> Set<String> {
        let kinds = [
            "ports:": "port", "services:": "service", "protocols:": "protocol", "source-ports:": "source-port",
        ]
        return Set(
            text.split(whereSeparator: \.isNewline).flatMap { line in
                let words = line.split(separator: " ")
                guard let kind = words.first.flatMap({ kinds[String($0)] }) else { return [String]() }
                return words.dropFirst().map { "\(kind)=\($0)" }
            }
        )
    }

    /// The maximum number of zones and policies that are looked at.
    private static let maximumCount = 32

    /// Reads the names of the active zones, and the policies for what leaves this machine, from the output of `firewall-cmd`.
    package static func options(zones: String, usual: String, policies: String) -> [String] {
        var options: [String] = []
        func add(_ kind: String, _ line: some StringProtocol) {
            // Newer versions write "(default)" or "(active)" behind the name.
            guard let name = line.split(whereSeparator: \.isWhitespace).first else { return }
            let option = "--\(kind)=\(name)"
            if !options.contains(option), options.count < maximumCount { options.append(option) }
        }
        add("zone", usual)
        for line in zones.split(whereSeparator: \.isNewline) where line.first?.isWhitespace == false {
            add("zone", line)
        }
        var policy: Substring = ""
        for line in policies.split(whereSeparator: \.isNewline) {
            if line.first?.isWhitespace == false {
                policy = line
            } else if line.contains("ingress-zones:"), line.split(separator: " ").contains("HOST") {
                add("policy", policy)
            }
        }
        return options
    }
}
