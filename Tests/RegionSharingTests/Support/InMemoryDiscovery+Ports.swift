import NIOCore
import PeerTestSupport

@testable import PeerCore

extension InMemoryDiscovery {
    /// Discovery on one machine, where each port is an address of its own.
    static func onOneMachine() -> InMemoryDiscovery {
        InMemoryDiscovery { advertisement in
            let address = try? SocketAddress(ipAddress: "127.0.0.1", port: advertisement.port)
            return address.map {
                [
                    PeerSighting(
                        key: "\(advertisement.port)",
                        instanceName: advertisement.instanceName,
                        address: $0,
                        interfaceName: "lo",
                        info: advertisement.info
                    )
                ]
            } ?? []
        }
    }
}
