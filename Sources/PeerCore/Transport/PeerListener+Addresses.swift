import NIOCore

extension PeerListener {
    /// The current addresses of this listener as text: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    ///
    /// The addresses of hardware come first, then those of bridges and other virtual interfaces, then those of tunnels, and
    /// last the loopback addresses. On the same kind of interface, addresses of a network come before link-local addresses.
    /// Interfaces that are down are left out.
    public var reachableAddresses: [String] {
        let routes = DefaultRoute.interfaceNames()
        var own: [OwnAddress] = []
        for device in (try? System.enumerateDevices()) ?? [] {
            guard var address = device.address, address.ipAddress != nil else { continue }
            address.port = port
            own.append(
                OwnAddress(
                    address: address,
                    interfaceName: device.name,
                    interface: InterfaceRank(of: device.name),
                    hasDefaultRoute: routes.contains(device.name)
                )
            )
        }
        return OwnAddress.ranked(own)
    }
}
