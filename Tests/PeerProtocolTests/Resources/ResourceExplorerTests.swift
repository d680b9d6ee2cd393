import Testing

@testable import PeerProtocol

/// Every order of events of one resource at both sides, with breaks of the link and of attached connections.
@Suite struct ResourceExplorerTests {
    @Test func bothSidesAgreeInTheEnd() {
        var world = ResourceWorld()
        world.breaks = 3
        let result = explore(from: world)
        #expect(result.failures.isEmpty, "\(result.failures.first ?? "")")
        #expect(result.states > 500 && result.received > 0, "\(result.states) states")
    }

    @Test func aWordThatIsForgottenIsFound() {
        var world = ResourceWorld()
        world.breaks = 3
        world.losesReceived = true
        #expect(!explore(from: world).failures.isEmpty)
    }

    private func explore(from start: ResourceWorld) -> (states: Int, received: Int, failures: [String]) {
        var known: Set<ResourceWorld> = [start]
        var open = [start]
        var (received, failures) = (0, [String]())
        while let world = open.popLast(), failures.isEmpty {
            let next = world.successors()
            if next.isEmpty {
                if world.isReceived { received += 1 }
                if let failure = world.failureAtRest { failures.append(failure) }
            }
            for world in next where known.insert(world).inserted { open.append(world) }
        }
        return (known.count, received, failures)
    }
}

/// Two machines, the words between them, the link and the attached connection.
struct ResourceWorld: Hashable {
    private enum Word: Hashable {
        case word(ResourceStateMachine.Word)
        case attach(Int)
    }

    private var sides: [ResourceStateMachine]
    /// The words on the way to each side, in order; they survive the link's connections.
    private var words: [[Word]] = [[], []]
    private var outcomes: [ResourceStateMachine.Outcome?] = [nil, nil]
    /// The side that listened; nil while the link has no connection.
    private var listener: Int? = 1
    /// Which attached connection each side is making or using; 0 for none.
    private var attempts = [0, 0]
    private var lastAttempt = 0
    private var retries = [false, false]
    private var hasAnswered = false
    /// How often something may still break.
    var breaks = 0
    /// Whether the receiver's word that it has the resource is forgotten: an error that must be found.
    var losesReceived = false
    /// The sides whose attached connection is being stopped.
    private var stops = [false, false]
    /// The secret of each attached connection.
    private static let secrets = (UInt8.min...UInt8.max).compactMap { number in
        ConnectionSecret(bytes: Array(repeating: number, count: ConnectionSecret.byteCount))
    }

    init() {
        sides = [
            ResourceStateMachine(.offering, listens: false), ResourceStateMachine(.receiving, listens: true),
        ]
    }

    var isReceived: Bool { outcomes == [.received, .received] }

    /// Why the world must not rest here; nil if it may.
    var failureAtRest: String? { isReceived ? nil : "at rest: \(outcomes), \(sides)" }

    /// What can happen next.
    func successors() -> [ResourceWorld] {
        var next: [ResourceWorld] = []
        func add(_ change: (inout ResourceWorld) -> Void) {
            var world = self
            change(&world)
            next.append(world)
        }
        if !hasAnswered {
            add { world in
                world.hasAnswered = true
                world.advance(1) { $0.accepted() }
            }
        }
        for side in [0, 1] where listener != nil && !words[side].isEmpty { add { $0.deliver(to: side) } }
        for side in [0, 1] where retries[side] {
            add { world in
                world.retries[side] = false
                world.advance(side) { $0.retry() }
            }
        }
        for side in [0, 1] where stops[side] {
            add { world in
                world.stops[side] = false
                world.advance(side) { $0.carried(.failed(reason: "The transfer was stopped.")) }
            }
        }
        addCarriages(add)
        guard breaks > 0 else { return next + reattachments() }
        if listener != nil {
            add { world in
                world.breaks -= 1
                world.listener = nil
                for side in [0, 1] { world.sides[side].linkDetached() }
            }
        }
        return next + reattachments()
    }

    private func reattachments() -> [ResourceWorld] {
        guard listener == nil else { return [] }
        return [0, 1].map { listener in
            var world = self
            world.listener = listener
            for side in [0, 1] { world.advance(side) { $0.linkAttached(listens: side == listener) } }
            return world
        }
    }

    private func addCarriages(_ add: ((inout ResourceWorld) -> Void) -> Void) {
        if attempts[0] != 0, attempts[0] == attempts[1] {
            // The receiver ends first; the sender hears of it, or does not.
            add { world in
                world.end(1, .complete)
                world.end(0, .complete)
            }
            guard breaks > 0 else { return }
            add { world in
                world.breaks -= 1
                world.end(1, .complete)
                world.end(0, .unconfirmed)
            }
            add { world in
                world.breaks -= 1
                world.end(1, .broken)
                world.end(0, .unconfirmed)
            }
            for order in [[0, 1], [1, 0]] {
                add { world in
                    world.breaks -= 1
                    for side in order { world.end(side, .broken) }
                }
            }
        }
        // What the other side has given up, or never comes to, breaks in time.
        for side in [0, 1] where attempts[side] != 0 && attempts[1 - side] != attempts[side] {
            // That takes longer than any word, and than stopping.
            if words == [[], []], stops == [false, false] { add { $0.end(side, .broken) } }
        }
    }

    private mutating func end(_ side: Int, _ carriage: ResourceStateMachine.Carriage) {
        guard attempts[side] != 0 else { return }
        attempts[side] = 0
        advance(side) { $0.carried(carriage) }
    }

    private mutating func deliver(to side: Int) {
        switch words[side].removeFirst() {
        case .attach(let attempt):
            advance(side) { $0.receivedAttach(Self.secrets[attempt]) }
        case .word(.accept): advance(side) { $0.receivedAccept() }
        case .word(.received): advance(side) { $0.receivedReceived() }
        case .word(.decline(let refusal)): advance(side) { $0.receivedDecline(refusal) }
        case .word(.cancel(let reason)): advance(side) { $0.receivedCancel(reason: reason) }
        }
    }

    private mutating func advance(
        _ side: Int,
        _ event: (inout ResourceStateMachine) -> [ResourceStateMachine.Action]
    ) {
        for action in event(&sides[side]) {
            switch action {
            case .tell(.received) where losesReceived: break
            case .tell(let word): words[1 - side].append(.word(word))
            case .expect:
                lastAttempt += 1
                attempts[side] = lastAttempt
                words[1 - side].append(.attach(lastAttempt))
            case .dial(let secret): attempts[side] = Self.secrets.firstIndex(of: secret) ?? 0
            case .stop, .abandon:
                attempts[side] = 0
                stops[side] = true
            case .retryLater: retries[side] = true
            case .finish(let outcome): outcomes[side] = outcome
            }
        }
    }
}
