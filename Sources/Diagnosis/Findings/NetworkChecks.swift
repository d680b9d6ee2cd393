import HostNetwork

/// Judges the interfaces, addresses and routes of this machine.
package enum NetworkChecks {
    /// Judges whether this machine is on a local network, and whether it sends there.
    ///
    /// - Parameter machine: This machine.
    /// - Returns: The findings; at least one.
    package static func findings(on machine: MachineFacts) -> [Finding] {
        let usable = machine.usableInterfaces
        guard !usable.isEmpty else { return [missingNetwork(machine)] }
        let list = usable.map { interface in
            "\(interface.name) (\(interface.addresses.map(\.address.description).joined(separator: ", ")))"
        }
        let address = Finding(
            .address,
            .network,
            .ok,
            "This machine has an address on a local network: \(list.joined(separator: "; "))."
        )
        let taken = takenNetworks(machine)
        return [address] + (taken.isEmpty ? activeTunnel(machine) : taken)
    }

    /// Reports why no interface leads to a local network.
    private static func missingNetwork(_ machine: MachineFacts) -> Finding {
        let candidates = machine.interfaces.filter(\.isLocalNetwork)
        if let connected = candidates.first(where: { $0.isUp && $0.hasCarrier }) { return missingAddress(connected) }
        if machine.isRadioOff, !candidates.contains(where: { $0.isUp && !$0.isWireless }) {
            return switchedOffRadio(machine.radios)
        }
        let ready = candidates.filter(\.isUp)
        if !ready.isEmpty {
            let states = ready.map { "\($0.name) has no \($0.isWireless ? "Wi-Fi" : "cable")" }
            return Finding(
                .noCarrier,
                .network,
                .problem,
                "This laptop is on no network (\(states.joined(separator: ", "))).",
                remedy: "Plug in a cable to the other laptop, or join its Wi-Fi."
            )
        }
        if let down = candidates.first {
            let names = candidates.map(\.name).joined(separator: ", ")
            return Finding(
                .interfaceDown,
                .network,
                .problem,
                "This laptop is on no network (\(names) \(candidates.count == 1 ? "is" : "are") off).",
                remedy: "Switch it on:",
                command: "sudo ip link set \(down.name) up",
                interface: down.name
            )
        }
        return Finding(
            .noInterface,
            .network,
            .problem,
            "This laptop has no network card that leads to other machines.",
            remedy: "Plug in a network adapter, or check with 'ip link' whether the system knows it."
        )
    }

    private static func missingAddress(_ interface: InterfaceFacts) -> Finding {
        let name = interface.name
        let message = "\(name) is connected, but has no address, so no other machine can be reached over it."
        if interface.isIPv6Off {
            return Finding(
                .noAddress,
                .network,
                .problem,
                message,
                remedy: "IPv6 is switched off there. Switch it on, also on the other machine; it needs no router:",
                // Written with slashes, the name of the setting may contain an interface name with dots.
                command: "sudo sysctl -w net/ipv6/conf/\(name)/disable_ipv6=0",
                interface: name
            )
        }
        // The range without the first and last 256 addresses (RFC 3927, section 2.1).
        let (third, fourth) = (interface.hardwareAddress.dropFirst(4).first ?? 1, interface.hardwareAddress.last ?? 1)
        let address = "169.254.\(1 + Int(third) % 254).\(fourth)"
        return Finding(
            .noAddress,
            .network,
            .problem,
            message,
            remedy: "Wait a moment if you have just connected. Otherwise give it an address that needs no router:",
            command: "sudo ip addr add \(address)/16 dev \(name)",
            interface: name
        )
    }

    private static func switchedOffRadio(_ radios: [RadioFacts]) -> Finding {
        let isSwitch = radios.contains(where: \.isOffBySwitch)
        return Finding(
            .radioOff,
            .network,
            .problem,
            "This laptop is on no network (Wi-Fi is switched off).",
            remedy: isSwitch
                ? "Switch it on with the switch or the key with an antenna or an aeroplane on this machine."
                : "Switch it on, or leave the aeroplane mode:",
            command: isSwitch ? nil : "sudo rfkill unblock wifi"
        )
    }

    /// The local networks for which the kernel uses a tunnel, or a network that ends on this machine.
    private static func takenNetworks(_ machine: MachineFacts) -> [Finding] {
        var takers: Set<String> = []
        return machine.localRoutes.compactMap { route in
            guard let used = machine.interface(route.used), used.name != route.interface, !used.isLocalNetwork,
                takers.insert(used.name + " " + route.interface).inserted
            else { return nil }
            return taken(route.interface, by: used)
        }
    }

    /// The finding that a tunnel or an interface to containers takes the packets of a local network.
    static func taken(_ interface: String, by taker: InterfaceFacts) -> Finding {
        let tunnel = taker.name
        guard taker.isTunnel else {
            return Finding(
                .containersTakeNetwork,
                .network,
                .problem,
                "\(tunnel), a network of containers or virtual machines on this machine, has the addresses of the network "
                    + "of \(interface), so packets do not reach the machines there.",
                remedy: "Give it other addresses, or switch it off while you share:",
                command: "sudo ip link set \(tunnel) down",
                interface: tunnel
            )
        }
        return Finding(
            .tunnelTakesNetwork,
            .network,
            .problem,
            "The VPN or tunnel \(tunnel) takes the packets for the local network of \(interface), "
                + "so they do not reach the machines there.",
            remedy: "Disconnect the VPN while you share, or switch its interface off:",
            command: "sudo ip link set \(tunnel) down",
            interface: tunnel
        )
    }

    private static func activeTunnel(_ machine: MachineFacts) -> [Finding] {
        guard let internet = machine.interface(machine.internetInterface), internet.isTunnel else { return [] }
        return [
            Finding(
                .tunnelActive,
                .network,
                .note,
                "The VPN or tunnel \(internet.name) is active. Some VPNs keep machines on the local network apart.",
                remedy: "If the other machine is not found, disconnect the VPN on both machines.",
                interface: internet.name
            )
        ]
    }
}

/// Judges the firewall of this machine.
package enum FirewallChecks {
    /// Reports whether a firewall is active, and how to open a port in it.
    ///
    /// Only root can read the rules, and they may allow everything. So an active firewall is only a note.
    package static func findings(of firewall: Firewall?, port: Int) -> [Finding] {
        guard let firewall else {
            return [Finding(.noFirewall, .firewall, .ok, "No firewall service seems to be active on this machine.")]
        }
        return [
            Finding(
                .firewallActive,
                .firewall,
                .note,
                "The firewall \(firewall.rawValue) is active on this machine. It may reject connections to TCP port \(port), "
                    + "which a sender needs.",
                remedy: "If other machines see this one but cannot connect to it:",
                command: firewall.command(opening: port),
                port: port
            )
        ]
    }
}
