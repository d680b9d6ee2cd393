package import HostNetwork

/// A network interface of this machine.
package struct InterfaceFacts: Hashable, Sendable {
    /// The name, such as `wlan0`.
    package var name: String
    /// The kernel's number.
    package var index: UInt32
    /// What the interface leads to; never ``InterfaceRank/down``.
    package var kind: InterfaceRank
    /// Whether it is like Ethernet, as cables and Wi-Fi are, and no part of a bridge or a bond.
    package var isEthernet: Bool = true
    /// Whether it is switched on.
    package var isUp: Bool = true
    /// Whether a cable is plugged in, or a Wi-Fi is joined.
    package var hasCarrier: Bool = true
    /// Whether it can send multicast.
    package var hasMulticast: Bool = true
    /// Whether it is a radio.
    package var isWireless: Bool = false
    /// Whether IPv6 is switched off on it.
    package var isIPv6Off: Bool = false
    /// The hardware address; empty if there is none.
    package var hardwareAddress: [UInt8] = []
    package var addresses: [HostInterface.Address] = []

    /// Whether it may lead to the machines of other people: not to containers, not into a tunnel.
    package var isLocalNetwork: Bool { isEthernet && (kind == .hardware || kind == .other) }

    /// Whether it is a tunnel, such as that of a VPN.
    package var isTunnel: Bool { kind == .tunnel }

    /// Whether it leads to a local network at the moment.
    package var isUsable: Bool { isLocalNetwork && isUp && hasCarrier && !readyAddresses.isEmpty }

    /// The addresses that connections can use: not those that another machine has, too, or that are still tested.
    package var readyAddresses: [HostInterface.Address] { addresses.filter { $0.state == .ready } }

    /// The addresses that another machine has, too, so that the kernel does not use them.
    package var duplicateAddresses: [IPAddress] { addresses.filter { $0.state == .duplicate }.map(\.address) }

    /// Whether an address is in one of the networks of this interface.
    ///
    /// IPv6 link-local addresses are on every link.
    package func isOnLink(_ address: IPAddress) -> Bool {
        if address.needsZone { return readyAddresses.contains { $0.address.isIPv6 } }
        return readyAddresses.contains { address.isInNetwork(of: $0.address, prefixLength: $0.prefixLength) }
    }
}

/// A radio switch of this machine, as rfkill describes it.
package struct RadioFacts: Hashable, Sendable {
    /// Whether software has switched the radio off.
    package var isOffBySoftware: Bool
    /// Whether a switch or key of the machine has switched the radio off.
    package var isOffBySwitch: Bool
}
