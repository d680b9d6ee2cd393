import PeerProtocol
import Testing

/// Two peers, with everything that can happen in any order.
@Suite struct MeetingExplorationTests {
    @Test func noOrderOfEventsLeadsToAFlaw() {
        for (scenario, exploration) in MeetingScenarios.results.explorations {
            if MeetingScenarios.exploresAll { print(scenario.summary, exploration.summary) }
            #expect(exploration.flaw == nil, "\(scenario.summary): \(exploration.path)")
            #expect(exploration.linkedCount > 0, "\(scenario.summary): no link at all")
        }
    }

    /// The fewest faults with which a mutant is found, and the flaw.
    static let mutants: [MeetingMutant: (budget: MeetingBudget, flaw: String)] = [
        .noConnectionCount: (MeetingBudget(), "a link ended without a reason"),
        .bothDecide: (MeetingBudget(), "a wish hangs"),
        .noParking: (MeetingBudget(), "dials without end"),
        .noAdoption: (MeetingBudget(breaks: 1), "dials without end"),
        .newestWins: (MeetingBudget(), "a link ended without a reason"),
        .noTest: (MeetingBudget(restarts: 1), "a program that runs was replaced"),
    ]

    @Test(arguments: MeetingMutant.allCases)
    func findsABrokenRule(mutant: MeetingMutant) throws {
        let expected = try #require(Self.mutants[mutant])
        let exploration = MeetingExploration(MeetingScenario(budget: expected.budget, mutant: mutant))
        #expect(exploration.flaw == expected.flaw)
    }

    @Test func everyTransitionIsVisitedOrExplained() {
        let visited = MeetingScenarios.results.transitions
        for transition in MeetingTransition.all {
            let reason = transition.reasonWhyImpossible ?? transition.reasonWhyNotExplored
            if let reason {
                #expect(!visited.contains(transition), "visited: \(transition), although \(reason)")
            } else {
                let isExpected = MeetingScenarios.exploresAll || !transition.isOnlyInLargerExplorations
                #expect(visited.contains(transition) == isExpected, "\(transition)")
            }
        }
    }
}

extension MeetingScenario {
    /// The scenario in one line.
    var summary: String {
        let faults = [
            ("breaks", budget.breaks), ("failed dials", budget.failedDials), ("give-ups", budget.giveUps),
            ("expiries", budget.expiries), ("restarts", budget.restarts),
        ]
        let words = faults.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" } + ["\(wishes) wishes", "\(dials) dials"]
        let introduced = areIntroduced ? ["introduced"] : []
        let second = sideWithTwoPrograms.map { ["two programs at side \($0)"] } ?? []
        return (words + introduced + second).joined(separator: ", ")
    }
}

extension MeetingExploration {
    /// The numbers in one line.
    var summary: String {
        "| \(stateCount) states, \(restCount) at rest, \(linkedCount) linked, at most \(mostDials) dials, \(flaw ?? "holds")"
    }
}
