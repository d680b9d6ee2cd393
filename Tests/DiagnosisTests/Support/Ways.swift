import HostNetwork

@testable import Diagnosis

/// Ways to another machine for tests.
enum Ways {
    /// An address in the network of the laptop.
    static let near = "192.168.1.9"

    static func way(
        _ address: String = near,
        _ connection: WayFacts.Connection = .silent,
        _ neighbour: Neighbour.State = .unknown,
        over interface: String? = "wlan0",
        network: String? = "wlan0",
        heardOn: String? = nil,
        _ change: (inout WayFacts) -> Void = { _ in }
    ) -> WayFacts {
        var way = WayFacts(
            address: IPAddress(address) ?? Machine.laptop.interfaces[0].addresses[0].address,
            port: 64_453,
            text: "\(address):64453",
            interface: interface,
            network: network,
            connection: connection,
            neighbour: neighbour,
            heardOn: heardOn
        )
        change(&way)
        return way
    }

    /// What is known of a laptop that looks at one other machine.
    static func facts(
        _ ways: [WayFacts],
        _ source: PeerFacts.Source = .announced,
        view: PeerView? = nil,
        on machine: MachineFacts = Machine.laptop
    ) -> NetworkFacts {
        NetworkFacts(machine: machine, peers: [PeerFacts(name: "Anna", source: source, ways: ways, view: view)])
    }
}

extension Judgement {
    /// The names of what stands in the way.
    static func obstacles(_ facts: NetworkFacts) -> [Finding.Code] {
        findings(of: facts).filter { $0.severity >= .warning }.map(\.code)
    }
}
