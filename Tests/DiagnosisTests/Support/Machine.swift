import HostNetwork

@testable import Diagnosis

/// Machines and interfaces for tests.
enum Machine {
    static func interface(
        _ name: String,
        _ addresses: [String] = [],
        kind: InterfaceRank = .hardware,
        isUp: Bool = true,
        hasCarrier: Bool = true,
        hasMulticast: Bool = true,
        isWireless: Bool = false,
        isIPv6Off: Bool = false,
        isEthernet: Bool = true
    ) -> InterfaceFacts {
        InterfaceFacts(
            name: name,
            index: 1,
            kind: kind,
            isEthernet: isEthernet,
            isUp: isUp,
            hasCarrier: hasCarrier,
            hasMulticast: hasMulticast,
            isWireless: isWireless,
            isIPv6Off: isIPv6Off,
            hardwareAddress: [2, 0, 0, 0, 7, 9],
            addresses: addresses.compactMap { text in
                let parts = text.split(separator: "/")
                guard let address = IPAddress(String(parts[0])) else { return nil }
                return .init(address, prefixLength: parts.count > 1 ? Int(parts[1]) ?? 0 : 64)
            }
        )
    }

    /// An address of a test, which can be read.
    static func address(_ text: String) -> IPAddress { IPAddress(text) ?? laptop.interfaces[0].addresses[0].address }

    /// A laptop on a Wi-Fi.
    static let laptop = MachineFacts(interfaces: [interface("wlan0", ["192.168.1.7/24", "fe80::7"], isWireless: true)])

    /// The laptop with a VPN.
    static let laptopWithTunnel: MachineFacts = {
        var machine = laptop
        machine.interfaces.append(interface("tun0", ["10.8.0.2/24"], kind: .tunnel, isEthernet: false))
        return machine
    }()
}
