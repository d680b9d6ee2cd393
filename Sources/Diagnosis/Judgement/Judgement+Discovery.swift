import HostNetwork

/// Judges Avahi and packets to everybody.
extension Judgement {
    /// Judges discovery on this machine.
    static func discovery(of facts: NetworkFacts) -> [Finding] {
        let multicast = facts.multicast.map { Self.multicast($0, on: facts.machine) } ?? []
        return avahi(of: facts, multicast) + multicast + unheard(of: facts)
    }

    private static func avahi(of facts: NetworkFacts, _ multicast: [Finding]) -> [Finding] {
        guard let avahi = facts.avahi else { return [] }
        let troubles = AvahiTrouble.judge(
            avahi: avahi,
            machine: facts.machine,
            multicast: facts.multicast,
            peersOn: facts.peersOn
        )
        .filter { trouble in
            // Who was not searched for cannot be missing in a list.
            if case .unaware = trouble { facts.isSearched } else { true }
        }
        guard troubles.isEmpty else { return troubles.map { Finding(.avahiTrouble($0), $0.severity) } }
        let working = facts.machine.usableInterfaces.map(\.name).filter { avahi.interfaces?.contains($0) == true }
        return working.isEmpty ? [] : [Finding(.avahi(working), .ok)]
    }

    /// Judges the packets of this machine to everybody.
    private static func multicast(_ multicast: MulticastFacts, on machine: MachineFacts) -> [Finding] {
        var working: [String] = []
        var findings: [Finding] = []
        for interface in machine.usableInterfaces {
            let name = interface.name
            guard interface.hasMulticast else {
                findings.append(Finding(.multicastOff(interface: name), .problem))
                continue
            }
            let echoes = multicast.echoes.filter { $0.interface == name }
            let bad = echoes.first { $0.fate == .forbidden } ?? echoes.first { $0.fate == .lost }
            let isHeard = echoes.contains { $0.fate == .returned }
            if isHeard { working.append(name) }
            guard let bad else { continue }
            // One IP version is enough for machines that have both.
            let kind = Finding.Kind.multicastBlocked(
                interface: name,
                isOutgoing: bad.fate == .forbidden,
                onlyIPv6: isHeard ? bad.isIPv6 : nil
            )
            let evidence = machine.firewall.map { Evidence.firewallHere($0) } ?? .noFirewallHere
            findings.append(
                Finding(
                    kind,
                    isHeard ? .note : .problem,
                    for: machine.firewall == nil ? [] : [evidence],
                    against: machine.firewall == nil ? [evidence] : []
                )
            )
        }
        return (working.isEmpty ? [] : [Finding(.multicast(working), .ok)]) + findings
    }

    /// The finding that machines answer only a question from an ordinary port.
    private static func unheard(of facts: NetworkFacts) -> [Finding] {
        let voices = facts.multicast?.voices ?? []
        let direct =
            facts.multicast?.directAnnouncers.subtracting(voices).map(\.address)
            .filter { !facts.machine.has($0) } ?? []
        guard !direct.isEmpty else { return [] }
        return [Finding(.multicastLost(Set(direct).map(\.description).sorted()), .note)]
    }

    /// Judges the firewall of this machine.
    ///
    /// Only root can read the rules, and they may allow everything. So an active firewall is only a note.
    package static func firewall(_ firewall: Firewall?, port: Int) -> Finding {
        firewall.map { Finding(.firewallActive($0, port: port), .note) } ?? Finding(.noFirewall, .ok)
    }
}
