package import HostNetwork

/// Decides which questions are answered, so that no machine can make this one flood or search a network.
package struct ViewResponder: Sendable {
    /// What to do with a question.
    package enum OnQuestion: Hashable, Sendable {
        /// Connect to the machine that asks, and answer when the outcome is known.
        case knock
        /// Answer with the outcome that is known; nil if no connection is made to the machine.
        case answer(PeerView.Back?)
        /// The outcome is not known yet; answer this question instead of a former one of that machine.
        case wait
        case ignore
    }

    private struct Asker {
        var lastTime: ContinuousClock.Instant
        /// The times of the last answers.
        var answers: [ContinuousClock.Instant] = []
        var knockTime: ContinuousClock.Instant?
        var back: PeerView.Back?

        var isKnocking: Bool { knockTime != nil && back == nil }
    }

    /// How long an outcome is remembered; no other connection is made meanwhile.
    package static let memory: Duration = .seconds(30)
    /// The maximum number of machines that are remembered; more are not answered.
    package static let maximumAskers = 64
    /// The maximum number of answers to a machine within ``memory``: a few examinations of three questions each.
    package static let maximumAnswers = 24
    /// The maximum number of answers in a second.
    package static let maximumRate = 16
    /// The maximum number of connections at a time.
    package static let maximumKnocks = 8
    /// The maximum number of machines that a person is told of.
    package static let maximumNews = 4

    private let port: UInt16
    private var askers: [MulticastFacts.Voice: Asker] = [:]
    private var told: Set<MulticastFacts.Voice> = []
    private var latest: [ContinuousClock.Instant] = []

    /// Creates it for the port on which this machine listens.
    package init(port: UInt16) { self.port = port }

    /// Decides on a question.
    ///
    /// - Parameter machine: This machine, with the interface on which the question came in.
    package mutating func asked(
        _ question: ViewQuestion,
        by asker: MulticastFacts.Voice,
        on machine: MachineFacts,
        at now: ContinuousClock.Instant
    ) -> OnQuestion {
        guard question.port == port, !question.own(on: machine).isEmpty, asker.address.isOfOneMachine,
            !machine.has(asker.address), let interface = machine.interface(asker.interface)
        else { return .ignore }
        askers = askers.filter { now - $1.lastTime < Self.memory }
        latest = latest.filter { now - $0 < .seconds(1) }
        guard latest.count < Self.maximumRate, askers[asker] != nil || askers.count < Self.maximumAskers else {
            return .ignore
        }
        var memory = askers[asker] ?? Asker(lastTime: now)
        defer { askers[asker] = memory }
        memory.answers = memory.answers.filter { now - $0 < Self.memory }
        guard memory.answers.count < Self.maximumAnswers else { return .ignore }
        if memory.isKnocking { return .wait }
        memory.lastTime = now
        memory.answers.append(now)
        latest.append(now)
        // A router may have passed the question on; nothing is sent to other networks.
        guard interface.isOnLink(asker.address) else { return .answer(nil) }
        if let time = memory.knockTime, now - time < Self.memory { return .answer(memory.back) }
        guard askers.values.count(where: \.isKnocking) < Self.maximumKnocks else { return .answer(nil) }
        (memory.knockTime, memory.back) = (now, nil)
        return .knock
    }

    /// The outcome of the connection to a machine is known.
    package mutating func knocked(at asker: MulticastFacts.Voice, _ back: PeerView.Back) { askers[asker]?.back = back }

    /// Whether a person should be told what was answered to a machine: once for each, and of a few only.
    package mutating func isNews(_ view: PeerView, to asker: MulticastFacts.Voice) -> Bool {
        guard view.arrivals != .accepted, told.count < Self.maximumNews else { return false }
        return told.insert(asker).inserted
    }
}

extension ViewQuestion {
    /// Those of the addresses that this machine has.
    package func own(on machine: MachineFacts) -> [IPAddress] { addresses.filter(machine.has) }
}

extension PeerView.Arrivals {
    /// Creates it from the connections to a port.
    package init(of address: IPAddress, in connections: Set<TCPConnections.Entry>) {
        if connections.contains(.init(remote: address, isHalfOpen: false)) {
            self = .accepted
        } else {
            self = connections.contains(.init(remote: address, isHalfOpen: true)) ? .halfOpen : .none
        }
    }
}
