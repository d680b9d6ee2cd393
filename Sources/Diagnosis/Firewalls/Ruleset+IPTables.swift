extension Ruleset {
    /// Reads the output of `iptables-save` or a variant.
    ///
    /// - Parameters:
    ///   - program: The program that changes the rules, such as `ip6tables-legacy`.
    ///   - family: ``FirewallChain/Family/ip`` or ``FirewallChain/Family/ip6``.
    package init(iptables text: String, program: String, _ family: FirewallChain.Family) {
        self.init()
        var table = ""
        var indices: [FirewallChain.Place: Int] = [:]
        func place(_ chain: String) -> FirewallChain.Place {
            FirewallChain.Place(writer: .iptables(program: program), family: family, table: table, name: chain)
        }
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("*") {
                table = String(line.dropFirst())
            } else if line.hasPrefix(":") {
                let words = line.dropFirst().split(separator: " ").map(String.init)
                guard words.count >= 2 else { continue }
                indices[place(words[0])] = chains.count
                let base = Self.base(of: words[0], in: table, policy: words[1])
                chains.append(FirewallChain(place: place(words[0]), base: base, rules: []))
            } else if line.hasPrefix("-A ") {
                let words = Self.words(of: line)
                guard words.count >= 2, let index = indices[place(words[1])] else {
                    hasUnknown = true
                    continue
                }
                chains[index].rules.append(Self.rule(Array(words.dropFirst(2))))
            }
        }
    }

    /// The tables, each with its priority; `nat` decides nothing.
    package static let tables = ["raw": -300, "mangle": -150, "filter": 0, "security": 50]

    private static func base(of chain: String, in table: String, policy: String) -> FirewallChain.Base? {
        guard let priority = tables[table], policy != "-",
            let hook = FirewallChain.Hook(rawValue: chain.lowercased())
        else { return nil }
        return FirewallChain.Base(hook: hook, priority: priority, dropsByPolicy: policy != "ACCEPT")
    }

    private static func rule(_ words: [String]) -> FirewallChain.Rule {
        func value(_ options: String...) -> String? {
            words.firstIndex { options.contains($0) }.flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
        }
        let target = value("-j", "-g")
        // Targets of iptables are in capitals, as the chains that it has itself; others may have any name.
        let isOwn = target.map { FirewallTarget.isHarmless($0) || verdicts.contains($0) } ?? true
        return FirewallChain.Rule(
            words: words,
            comment: value("--comment"),
            canDrop: target.map { verdicts.contains($0) } ?? false,
            targets: isOwn ? [] : [target].compactMap { $0 }
        )
    }

    private static let verdicts: Set = ["DROP", "REJECT", "QUEUE", "NFQUEUE", "TARPIT", "SYNPROXY", "STEAL"]

    /// Returns the words of a line, without the quotation marks and backslashes of `iptables-save`.
    private static func words(of line: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var (isQuoted, isEscaped) = (false, false)
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap { $0 }
    }
}
