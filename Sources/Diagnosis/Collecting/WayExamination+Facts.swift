import HostNetwork
import PeerCore

extension PeerFacts {
    mutating func add(_ further: WayExamination.Further?) {
        guard let further, let index = ways.firstIndex(where: { $0.address == further.address }) else { return }
        view = further.view
        (ways[index].isKeptBack, ways[index].otherPorts) = (further.isKeptBack, further.otherPorts)
        ways[index].answersDirectly = further.answersDirectly
    }

    /// Adds on which interfaces packets of it to everybody have come in, and whether it announces itself.
    mutating func hear(_ multicast: MulticastFacts) {
        for index in ways.indices {
            let address = ways[index].address
            let heard = multicast.voices.filter { $0.address == address }.map(\.interface).sorted()
            // A link-local address is one machine on each link.
            let own = ways[index].interface
            ways[index].heardOn = heard.first { $0 == own } ?? (address.needsZone ? nil : heard.first)
            let announcers = multicast.announcers.union(multicast.directAnnouncers)
            if source == .named, announcers.contains(where: { $0.address == address }) { source = .announced }
        }
    }
}

extension WayFacts.Connection {
    /// What an error of a connection says that has opened; nil if a peer has answered, which does not encrypt.
    init?(securing error: any Error) {
        guard let error = error as? PeerError, error.code != .encryptionMismatch else { return nil }
        switch (error.cause as? UnansweredConnection)?.outcomes.first?.outcome {
        case .silent, .failed: self = .speechless
        case let outcome?: self.init(outcome)
        case nil: self = .otherProgram
        }
    }

    /// What came of a connection of the program itself.
    init(_ outcome: UnansweredConnection.Outcome) {
        self =
            switch outcome {
            case .silent: .silent
            case .speechless: .speechless
            case .failed(let error): ConnectionProbe.outcome(of: error)
            case .otherProgram: .otherProgram
            case .reset: .reset
            case .webPage: .webPage
            case .otherKey: .otherKey
            }
    }
}
