import NIOCore

extension PeerListener {
    /// Where peers can reach this listener, as people write it: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    ///
    /// The addresses of hardware come first, then those of bridges and other virtual interfaces, then those of tunnels, and
    /// last those of this machine alone. On the same kind of interface, the addresses of networks come before those that
    /// need a zone. Interfaces that are down are left out. What stands here is right now; a network may come or go any
    /// time.
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
