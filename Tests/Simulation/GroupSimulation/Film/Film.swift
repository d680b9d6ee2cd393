import FoundationEssentials

/// The life of a simulated group, as a page shows it.
///
/// Times are milliseconds since the beginning; peers are numbered as machines are. Everything was recorded, nothing is invented.
package struct Film: Codable, Equatable, Sendable {
    /// From a time on, something is in a state.
    package struct Change<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
        package var time: Int
        package var value: Value
    }

    /// What a peer's program does.
    package enum Presence: String, Codable, Sendable {
        case running
        case killed
        case left
    }

    /// What two peers say of their link.
    package enum LinkState: String, Codable, Sendable {
        /// Neither has one, or both have given it up.
        case none
        /// Both have it.
        case connected
        /// Only one has it: it has not noticed yet what happened to the other one, or the other one is not ready yet.
        case oneSided
        /// At least one of them restores it.
        case reconnecting
    }

    /// The states of the link of two peers.
    package struct Link: Codable, Equatable, Sendable {
        package var one: Int
        package var two: Int
        package var states: [Change<LinkState>]
        /// When the network ended their connections.
        package var cuts: [Int]
    }

    /// A message, and who has heard it.
    package struct Message: Codable, Equatable, Sendable {
        package struct Hearing: Codable, Equatable, Sendable {
            package var peer: Int
            package var time: Int
        }

        package var sender: Int
        /// Which run of the sender's program has sent it.
        package var run: Int
        package var number: Int
        package var time: Int
        package var heard: [Hearing]
    }

    /// A resource that one peer sends to another one.
    package struct Resource: Codable, Equatable, Sendable {
        package var sender: Int
        package var receiver: Int
        package var length: Int
        package var time: Int
        package var end: Int?
        package var isReceived: Bool
    }

    package var seed: UInt64
    package var length: Int
    /// How long the network takes to carry bytes.
    package var delay: Int
    package var names: [String]
    /// The changes of each peer.
    package var presences: [[Change<Presence>]]
    /// For each time, which part of the network each peer is in.
    package var networks: [Change<[Int]>]
    package var links: [Link]
    package var messages: [Message]
    package var resources: [Resource]
    package var episodes: [Episode]
    /// What a person would say of it.
    package var story: [Story.Line]

    static let names = [
        "Anna", "Ben", "Carla", "David", "Emil", "Fay", "Goran", "Hana", "Ines", "Jan", "Kim", "Luca",
    ]

    /// How often the messages were heard.
    package var heardCount: Int { messages.reduce(0) { $0 + $1.heard.count } }

    /// Makes the film of a simulation that has ended.
    ///
    /// - Parameter simulation: A simulation that was filmed.
    package init(of simulation: Simulation) {
        let plan = simulation.plan
        seed = plan.seed
        // What the faults have delayed arrives after their end.
        let length = plan.end + 8_000
        self.length = length
        delay = Plan.filmDelay
        names = Self.names
        let entries = (simulation.ledger.recording?.entries ?? []).filter { $0.time <= length }
        var editing = FilmEditing(count: plan.machineCount)
        for entry in entries { editing.add(entry) }
        presences = editing.presences
        networks = editing.networks
        links = editing.links
        messages = editing.messages
        resources = editing.resources
        episodes = []
        story = []
        episodes = findEpisodes()
        story = Story(of: self).lines
    }
}
