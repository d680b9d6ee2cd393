import HostNetwork

/// Judges the interfaces, addresses and routes of this machine.
extension Judgement {
    /// Judges whether this machine is on a local network, and whether it sends there.
    static func network(of facts: NetworkFacts) -> [Finding] {
        let machine = facts.machine
        var findings = [Finding(.address(machine.usableInterfaces), .ok)]
        for interface in machine.interfaces {
            findings += interface.duplicateAddresses.map { address in
                Finding(.duplicateAddress(address.description, interface: interface.name), .warning)
            }
        }
        let taken = takenNetworks(machine)
        return findings + (taken.isEmpty ? activeTunnel(machine) : taken) + refusedRoutes(machine)
    }

    /// Says why no interface leads to a local network.
    static func missingNetwork(of facts: NetworkFacts) -> Finding {
        if case .networkingOff? = facts.ownNetwork, let off = facts.ownNetwork {
            return Finding(.networkingOff(off), .problem)
        }
        let machine = facts.machine
        let candidates = machine.interfaces.filter(\.isLocalNetwork)
        for interface in candidates where interface.isUp && interface.hasCarrier {
            guard let duplicate = interface.duplicateAddresses.first else { continue }
            return Finding(.duplicateAddress(duplicate.description, interface: interface.name), .problem)
        }
        if let connected = candidates.first(where: { $0.isUp && $0.hasCarrier }) {
            return Finding(.noAddress(connected), .problem)
        }
        if machine.isRadioOff, !candidates.contains(where: { $0.isUp && !$0.isWireless }) {
            return Finding(.radioOff(bySwitch: machine.radios.contains(where: \.isOffBySwitch)), .problem)
        }
        let ready = candidates.filter(\.isUp)
        if !ready.isEmpty { return Finding(.noCarrier(ready), .problem) }
        guard candidates.isEmpty else { return Finding(.interfaceDown(candidates.map(\.name)), .problem) }
        return Finding(.noInterface, .problem)
    }

    /// The local networks for which the kernel uses a tunnel, or a network that ends on this machine.
    private static func takenNetworks(_ machine: MachineFacts) -> [Finding] {
        machine.localRoutes.compactMap { route in
            machine.interface(route.used).flatMap { taken(route.interface, by: $0) }
        }
    }

    /// The finding that a tunnel or an interface to containers takes the packets of a local network; nil if it is none of them.
    static func taken(_ interface: String, by taker: InterfaceFacts) -> Finding? {
        guard taker.name != interface, !taker.isLocalNetwork else { return nil }
        let kind: Finding.Kind =
            taker.isTunnel
            ? .tunnelTakesNetwork(tunnel: taker.name, network: interface)
            : .containersTakeNetwork(bridge: taker.name, network: interface)
        return Finding(kind, .problem)
    }

    private static func activeTunnel(_ machine: MachineFacts) -> [Finding] {
        machine.tunnelToInternet.map { [Finding(.tunnelActive($0.name), .note)] } ?? []
    }

    /// The networks of own interfaces into which the kernel sends nothing, as a rule of a VPN wants it.
    private static func refusedRoutes(_ machine: MachineFacts) -> [Finding] {
        machine.localRoutes.filter { $0.used == nil }.map { route in
            Finding(
                .routeRefused(interface: route.interface, network: route.network),
                .problem,
                for: machine.interfaces.first(where: \.isTunnel).map { [.tunnelHasRoute($0.name)] } ?? []
            )
        }
    }
}
