import PeerProtocol

/// A search through every network that a scenario can lead to, breadth first.
struct MeetingExploration {
    /// How many different networks there are.
    private(set) var stateCount = 0
    /// How many of them are at rest.
    private(set) var restCount = 0
    /// How many of them are at rest with a link.
    private(set) var linkedCount = 0
    /// How often one program dialed at most.
    private(set) var mostDials: UInt8 = 0
    /// The first flaw, with the shortest way to it.
    private(set) var flaw: String?
    private(set) var path: [MeetingNetwork] = []

    /// Explores until everything is known, a flaw is found, or there are too many networks.
    init(_ scenario: MeetingScenario, limit: Int = 50_000_000, observe: MeetingNetwork.Observer = { _, _ in }) {
        var networks = [MeetingNetwork(scenario)]
        var parents = [0]
        var known = Set(networks)
        var index = 0
        while index < networks.count {
            let network = networks[index]
            if let flaw = network.flaw ?? (network.isAtRest ? network.flawAtRest() : nil) {
                self.flaw = flaw
                path = Self.path(to: index, networks, parents)
                break
            }
            if network.isAtRest {
                restCount += 1
                if network.programs[0].machine.isLinked { linkedCount += 1 }
            }
            mostDials = max(mostDials, network.programs.map(\.dials).max() ?? 0)
            for next in network.successors(scenario, observe) where known.insert(next).inserted {
                networks.append(next)
                parents.append(index)
            }
            guard networks.count <= limit else {
                flaw = "more than \(limit) states"
                break
            }
            index += 1
        }
        stateCount = networks.count
    }

    private static func path(to index: Int, _ networks: [MeetingNetwork], _ parents: [Int]) -> [MeetingNetwork] {
        var path = [networks[index]]
        var index = index
        while index != 0 {
            index = parents[index]
            path.insert(networks[index], at: 0)
        }
        return path
    }
}
