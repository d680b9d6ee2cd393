import HostNetwork

/// Says from what is known why two machines do not meet, or that nothing stands in the way.
///
/// The one judgement that every face asks. It is pure: it reads ``NetworkFacts`` and nothing else. A fact outweighs a guess: a machine
/// that was reached rules out what would have kept it away, and a tunnel that has the route to the internet comes before any rule of
/// a firewall.
package enum Judgement {
    /// Returns what was found: first this machine and its networks, then discovery, then the machines nearby; of the same thing only
    /// once.
    ///
    /// The first finding with ``Finding/Severity/problem`` is the cause.
    package static func findings(of facts: NetworkFacts) -> [Finding] {
        guard !facts.machine.usableInterfaces.isEmpty else {
            return [missingNetwork(of: facts)] + discovery(of: facts) + ownNetwork(of: facts)
        }
        let peers = facts.peers.map { peer($0, in: facts) }
        let reached = peers.first { $0.code == .peerReached }
        var findings = network(of: facts) + discovery(of: facts)
        if reached == nil, let tunnel = blockingTunnel(of: facts, peers) {
            // Rules for single ports would lead round in a circle: the tunnel's program takes each of them back.
            findings.removeAll { [.tunnelActive, .multicastBlocked].contains($0.code) }
            findings.insert(tunnel, at: 0)
            findings += peers.filter { $0.code != .outgoingBlocked }
        } else {
            findings += peers
        }
        if facts.isSearched, peers.isEmpty, !findings.contains(where: { $0.code == .avahiUnaware }) {
            findings.append(Finding(.noPeers, .note))
        }
        findings = findings.map { weighed($0, in: facts, reached: reached) } + ownNetwork(of: facts)
        return unique(findings)
    }

    /// Returns each finding once, the worst of those that say the same: the routes and the ways to peers report the same tunnel.
    private static func unique(_ findings: [Finding]) -> [Finding] {
        var places: [Finding.Kind: Int] = [:]
        return findings.reduce(into: []) { unique, finding in
            guard let place = places[finding.kind] else {
                places[finding.kind] = unique.count
                unique.append(finding)
                return
            }
            if unique[place].severity < finding.severity { unique[place] = finding }
        }
    }

    /// Returns the finding that a person needs most: the first of those that are worst; nil if nothing stands in the way.
    package static func cause(of facts: NetworkFacts) -> Finding? {
        let findings = findings(of: facts)
        return findings.first { $0.severity == .problem } ?? findings.first { $0.severity == .warning }
    }

    /// Judges whether a tunnel with the route to the internet keeps this machine apart from its own networks, as the kill switch of
    /// a VPN does.
    private static func blockingTunnel(of facts: NetworkFacts, _ peers: [Finding]) -> Finding? {
        guard let tunnel = facts.machine.tunnelToInternet else { return nil }
        let echoes = facts.multicast?.echoes.filter { $0.fate != .untested } ?? []
        let isDeaf = !echoes.isEmpty && echoes.allSatisfy { $0.fate != .returned }
        let isKept = peers.contains { $0.code == .outgoingBlocked }
        guard isDeaf || isKept else { return nil }
        return Finding(.tunnelBlocks(tunnel.name), .problem, for: [.tunnelHasRoute(tunnel.name), .nothingLeft])
    }

    /// Returns a finding with the severity that it has together with the others.
    private static func weighed(_ finding: Finding, in facts: NetworkFacts, reached: Finding?) -> Finding {
        var finding = finding
        finding.canMakeNetwork = facts.ownNetwork?.isPossible
        finding.isFirewallOpened = facts.machine.isFirewallOpened
        if let reached {
            let name = reached.kind.place?.name ?? ""
            switch finding.subject {
            // The other machine was reached in another way, such as by an IPv6 link-local address, or was found without Avahi.
            case .network, .firewall, .discovery: finding.severity = min(finding.severity, .warning)
            default: return finding
            }
            if finding.severity > .ok { finding.speaksAgainst.append(.reachedOther(name)) }
        } else if finding.code == .tunnelActive, !facts.peers.isEmpty || facts.isSearched {
            // A VPN that blocks the local network is the usual reason.
            finding.severity = .warning
        }
        return finding
    }

    private static func ownNetwork(of facts: NetworkFacts) -> [Finding] {
        switch facts.ownNetwork {
        case nil: []
        // It is said as the reason why this machine is on no network.
        case .networkingOff? where facts.machine.usableInterfaces.isEmpty: []
        case .possible(let name, let servesPhones)?:
            [Finding(.ownNetwork(.possible(interface: name, servesPhones: servesPhones)), servesPhones ? .ok : .note)]
        case let other?: [Finding(.ownNetwork(other), .note)]
        }
    }
}

extension MachineFacts {
    /// The tunnel that has the route to the internet; nil for none.
    var tunnelToInternet: InterfaceFacts? { interface(internetInterface).flatMap { $0.isTunnel ? $0 : nil } }
}
