/// The rules of a machine's packet filter.
package struct Ruleset: Hashable, Sendable {
    package var chains: [FirewallChain]
    /// Whether there is something that was not understood, in which chain is not known.
    package var hasUnknown: Bool

    package init(chains: [FirewallChain] = [], hasUnknown: Bool = false) {
        (self.chains, self.hasUnknown) = (chains, hasUnknown)
    }

    /// Returns the chains that the kernel calls and that may drop packets, in the order in which it calls them.
    ///
    /// - Parameter isManaged: Whether another program manages a chain. The policy of a chain that leads to such a one is left to
    ///   that program, too.
    func dropping(_ isManaged: (FirewallChain.Place) -> Bool = { _ in false }) -> [FirewallChain] {
        let byPlace = Dictionary(chains.map { ($0.place, $0) }) { first, _ in first }
        return chains.filter { chain in
            guard let base = chain.base, !isManaged(chain.place) else { return false }
            let targets = chain.rules.flatMap(\.targets).map { chain.place.beside($0) }
            if base.dropsByPolicy, !targets.contains(where: isManaged) { return true }
            var seen: Set = [chain.place]
            var waiting = [chain]
            while let next = waiting.popLast() {
                for rule in next.rules where !rule.isOwn {
                    if rule.canDrop { return true }
                    for target in rule.targets.map({ chain.place.beside($0) })
                    where !isManaged(target) && seen.insert(target).inserted {
                        // A chain that was not read may do anything.
                        guard let further = byPlace[target] else { return true }
                        waiting.append(further)
                    }
                }
            }
            return false
        }
        .sorted { Self.order($0) < Self.order($1) }
    }

    private static func order(_ chain: FirewallChain) -> (Int, Int, String, String) {
        let hook = chain.base.flatMap { FirewallChain.Hook.allCases.firstIndex(of: $0.hook) } ?? 0
        return (hook, chain.base?.priority ?? 0, chain.place.table, "\(chain.place.family) \(chain.place.name)")
    }
}

extension FirewallChain.Place {
    /// Returns the chain with a name in the same table.
    func beside(_ name: String) -> Self {
        var place = self
        place.name = name
        return place
    }
}
