import Diagnosis
import HostNetwork

/// Reads the firewall of this machine as root.
enum FirewallReader {
    /// Runs a program; nil if it is not installed.
    typealias Running = (_ program: String, _ arguments: [String]) -> SystemProgram.Answer?

    /// Reads all that filters packets here.
    static func read(_ run: Running = SystemProgram.run) -> FirewallState {
        let ruleset = ruleset(run)
        return FirewallState(ruleset: ruleset, ufw: ufw(ruleset, run), firewalld: firewalld(run))
    }

    private static func ruleset(_ run: Running) -> Ruleset? {
        var found: Ruleset?
        var programs: Set<String> = []
        if let listing = run("nft", ["-j", "list", "ruleset"]), listing.isSuccess {
            found = Ruleset(nftables: listing.output)
        }
        let hasNFTables = found != nil
        func save(_ program: String, _ family: FirewallChain.Family) -> Ruleset? {
            guard programs.insert(program).inserted, let saved = run(program + "-save", []), saved.isSuccess else {
                return nil
            }
            return Ruleset(iptables: saved.output, program: program, family)
        }
        for (family, prefix) in [(FirewallChain.Family.ip, "ip"), (.ip6, "ip6")] {
            func isOfTables(_ chain: FirewallChain) -> Bool {
                chain.place.family == family && chain.place.writer == .nft && Ruleset.tables[chain.place.table] != nil
            }
            // iptables does not understand its tables any more if nft has added rules to them.
            if let chains = found?.chains, chains.contains(where: isOfTables),
                let saved = save(prefix + "tables-nft", family)
            {
                // It leaves out chains that only nft makes, and shows its own even where there are none.
                func names(_ chains: [FirewallChain]) -> Set<[String]> {
                    Set(chains.map { [$0.place.table, $0.place.name] })
                }
                let shared = names(saved.chains).intersection(names(chains.filter(isOfTables)))
                func isShared(_ chain: FirewallChain) -> Bool {
                    shared.contains([chain.place.table, chain.place.name])
                }
                found?.chains.removeAll { isOfTables($0) && isShared($0) }
                found?.add(Ruleset(chains: saved.chains.filter(isShared), hasUnknown: saved.hasUnknown))
            }
            // Reading a table would load it into the kernel.
            let names = SystemFile.text("/proc/net/\(prefix)_tables_names") ?? ""
            if names.contains(where: \.isLetter) {
                let saved = save(prefix + "tables-legacy", family) ?? save(prefix + "tables", family)
                if let saved { found.add(saved) }
            }
            if !hasNFTables, let saved = save(prefix + "tables", family) { found.add(saved) }
        }
        return found
    }

    private static func ufw(_ ruleset: Ruleset?, _ run: Running) -> [UFWRule]? {
        // A ufw that is switched off leaves its chains in the kernel, and one that was not started has none.
        let isLoaded = ruleset?.chains.contains { $0.place.name == "ufw-user-input" } == true
        guard isLoaded, Firewall.isUFWOn(), let added = run("ufw", ["show", "added"]), added.isSuccess else {
            return nil
        }
        return UFWRule.read(added.output)
    }

    private static func firewalld(_ run: Running) -> [FirewalldArea] {
        func ask(_ arguments: String...) -> String? {
            run("firewall-cmd", arguments).flatMap { $0.isSuccess ? $0.output : nil }
        }
        guard let usual = ask("--get-default-zone") else { return [] }
        let options = FirewalldArea.options(
            zones: ask("--get-active-zones") ?? "",
            usual: usual,
            policies: ask("--get-active-policies") ?? ""
        )
        return options.map {
            FirewalldArea(
                option: $0,
                passing: FirewalldArea.passing(ask($0, "--list-all") ?? ""),
                permanent: FirewalldArea.passing(ask("--permanent", $0, "--list-all") ?? "")
            )
        }
    }
}

extension Ruleset {
    fileprivate mutating func add(_ other: Ruleset) {
        chains += other.chains
        hasUnknown = hasUnknown || other.hasUnknown
    }
}

extension Ruleset? {
    fileprivate mutating func add(_ other: Ruleset) {
        var all = self ?? Ruleset()
        all.add(other)
        self = all
    }
}
