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
        if facts.multicast.map({ $0.ownEchoes > 0 }) == true {
            let shared = addressesOfTwo(machine)
            // A single address that another machine of the same network has, too, leaves no such trace: no machine asks where it is.
            if isCommon(shared.first, on: machine) {
                findings.append(Finding(sharedAddress(shared, peer: nil, on: machine), .problem))
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

    /// The IPv4 addresses of this machine that another machine may have, the most likely first.
    ///
    /// Addresses of networks that this machine gives addresses in, such as those of containers or of a shared connection, are the same on
    /// many machines.
    private static func addressesOfTwo(_ machine: MachineFacts) -> [PeerFacts.SharedAddress] {
        let own = machine.interfaces.filter { $0.isUp && !$0.isTunnel }.flatMap { interface in
            interface.addresses.filter { !$0.address.isIPv6 }.map { (interface, $0) }
        }
        func rank(_ one: (InterfaceFacts, HostInterface.Address)) -> Int {
            let isGiver = address(one.1.address, isFirstIn: one.1.prefixLength)
            return (isCommon(shared(one), on: machine) ? 0 : 2) + (isGiver ? 0 : 1)
        }
        func shared(_ one: (InterfaceFacts, HostInterface.Address)) -> PeerFacts.SharedAddress {
            PeerFacts.SharedAddress(
                address: one.1.address,
                prefixLength: one.1.prefixLength,
                interface: one.0.name
            )
        }
        return own.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map { shared($0.element) }
    }

    /// Whether many machines may have an address: it is one of containers, or in a network that another interface is in, too.
    private static func isCommon(_ shared: PeerFacts.SharedAddress?, on machine: MachineFacts) -> Bool {
        guard let shared, let interface = machine.interface(shared.interface) else { return false }
        return !interface.isLocalNetwork
            || machine.interfaces.contains { $0.name != interface.name && $0.isUp && $0.isOnLink(shared.address) }
    }

    /// What it is if another machine has one of some addresses of this one.
    static func sharedAddress(
        _ shared: [PeerFacts.SharedAddress],
        peer: String?,
        on machine: MachineFacts
    ) -> Finding.Kind {
        let isSpare = machine.usableInterfaces.contains { $0.name != shared.first?.interface }
        let interface = machine.interface(shared.first?.interface)
        let other =
            isSpare ? nil : shared.first.flatMap { furtherAddress(beside: $0.address, $0.prefixLength, interface) }
        return .sharedAddress(shared, peer: peer, other: other)
    }

    /// Whether an address is the one after that of its network, which a machine that gives addresses usually has.
    private static func address(_ address: IPAddress, isFirstIn prefixLength: Int) -> Bool {
        guard let last = address.bytes.last, last == 1 else { return false }
        return IPAddress(bytes: address.bytes.dropLast() + [0])?.isFirst(inNetworkOf: prefixLength) ?? false
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
