import Testing

@testable import PeerProtocol

/// Two sides of a connection, with every answer of stores, admission and people, and every order of events.
@Suite struct ConversationExplorationTests {
    static let worlds: [(name: String, world: ConversationWorld)] = [
        ("transfer", ConversationWorld(.transfer)),
        ("transfer with a token", ConversationWorld(.transfer, hasToken: true)),
        ("transfer in plain text", ConversationWorld(.transfer, isEncrypted: false)),
        ("plain text with a token", ConversationWorld(.transfer, hasToken: true, isEncrypted: false)),
        ("session", ConversationWorld(.session)),
        ("session with a token", ConversationWorld(.session, hasToken: true)),
        ("session for everyone", ConversationWorld(.session, takesAnyone: true)),
        ("session with a member", ConversationWorld(.session, isMember: true)),
        ("link without an invitation", ConversationWorld(.session, isMember: true, resumes: true)),
    ]

    @Test(arguments: worlds.indices) func noOrderOfEventsLeadsToAFlaw(index: Int) {
        for budget in [ConversationWorld.Budget(), .init(ends: 1), .init(haste: 1)] {
            var (name, world) = Self.worlds[index]
            world.budget = budget
            let result = explore(from: world)
            #expect(result.flaw == nil, "\(name), \(budget): \(result.flaw ?? "")")
            #expect(result.carryingCount > 0, "\(name) never carries anything")
            #expect(result.stateCount > 20)
        }
    }

    /// One side sends any frames in any order, and the other side's people and stores give any answers.
    @Test(arguments: [0, 1], [Conversation.Purpose.transfer, .session])
    func noFramesLetAnybodyIn(hostile: Int, purpose: Conversation.Purpose) {
        for (hasToken, takesAnyone) in [(false, false), (true, false), (false, true)] {
            let budget = ConversationWorld.Budget(frames: 6)
            let world = ConversationWorld(
                purpose,
                hasToken: hasToken,
                takesAnyone: takesAnyone,
                hostile: hostile,
                budget: budget
            )
            let result = explore(from: world)
            #expect(result.flaw == nil, "\(result.flaw ?? "")")
            #expect(result.stateCount > 100)
        }
    }

    private func explore(from start: ConversationWorld) -> (stateCount: Int, carryingCount: Int, flaw: String?) {
        var known: Set<ConversationWorld.Key> = [start.key]
        var open = [start]
        var carryingCount = 0
        while let world = open.popLast() {
            let next = world.successors()
            if world.machines.allSatisfy({ $0.use == (world.isSession ? .link : .transfer) }) { carryingCount += 1 }
            if let flaw = world.flaw ?? (next.isEmpty ? world.flawAtRest : nil) {
                return (known.count, carryingCount, flaw)
            }
            for world in next where known.insert(world.key).inserted { open.append(world) }
        }
        return (known.count, carryingCount, nil)
    }
}
