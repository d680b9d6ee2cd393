import Foundation

/// What the tests explore: few faults always, more of them if `HIKESHARE_EXPLORE_MEETINGS` is set.
enum MeetingScenarios {
    static let standard = [
        MeetingScenario(),
        MeetingScenario(budget: MeetingBudget(breaks: 1)),
        MeetingScenario(budget: MeetingBudget(failedDials: 1)),
        MeetingScenario(budget: MeetingBudget(giveUps: 1), wishes: 2),
        MeetingScenario(budget: MeetingBudget(expiries: 1)),
        MeetingScenario(budget: MeetingBudget(restarts: 1)),
        MeetingScenario(budget: MeetingBudget(breaks: 1, failedDials: 1)),
        MeetingScenario(budget: MeetingBudget(breaks: 1, expiries: 1)),
        MeetingScenario(budget: MeetingBudget(expiries: 1), wishes: 2),
        MeetingScenario(areIntroduced: true),
        MeetingScenario(budget: MeetingBudget(breaks: 1), areIntroduced: true),
        MeetingScenario(budget: MeetingBudget(giveUps: 1), wishes: 2, areIntroduced: true),
        MeetingScenario(budget: MeetingBudget(restarts: 1), areIntroduced: true),
        MeetingScenario(budget: MeetingBudget(giveUps: 1, expiries: 1), wishes: 2, areIntroduced: true),
        MeetingScenario(dials: 2, sideWithTwoPrograms: 0, hasEnoughDials: false),
        MeetingScenario(dials: 2, sideWithTwoPrograms: 1, hasEnoughDials: false),
    ]

    static let larger = [
        MeetingScenario(budget: MeetingBudget(breaks: 2, failedDials: 1), dials: 9),
        MeetingScenario(budget: MeetingBudget(breaks: 1, giveUps: 1), wishes: 2, hasEnoughDials: false),
        MeetingScenario(budget: MeetingBudget(giveUps: 1, expiries: 1), wishes: 2),
        MeetingScenario(budget: MeetingBudget(giveUps: 1, restarts: 1), wishes: 2),
        MeetingScenario(budget: MeetingBudget(breaks: 1, restarts: 1), hasEnoughDials: false),
        MeetingScenario(budget: MeetingBudget(breaks: 1, restarts: 1), areIntroduced: true),
        MeetingScenario(budget: MeetingBudget(expiries: 1, restarts: 1)),
        MeetingScenario(budget: MeetingBudget(restarts: 2)),
        MeetingScenario(budget: MeetingBudget(breaks: 1), dials: 3, sideWithTwoPrograms: 0, hasEnoughDials: false),
        MeetingScenario(budget: MeetingBudget(breaks: 1), dials: 3, sideWithTwoPrograms: 1, hasEnoughDials: false),
        MeetingScenario(budget: MeetingBudget(expiries: 1), dials: 2, sideWithTwoPrograms: 0, hasEnoughDials: false),
        MeetingScenario(budget: MeetingBudget(expiries: 1), dials: 2, sideWithTwoPrograms: 1, hasEnoughDials: false),
    ]

    static let exploresAll = ProcessInfo.processInfo.environment["HIKESHARE_EXPLORE_MEETINGS"] != nil

    /// What each exploration found, and all transitions of the machines.
    static let results = Results(exploresAll ? standard + larger : standard)

    struct Results {
        var explorations: [(scenario: MeetingScenario, exploration: MeetingExploration)] = []
        var transitions: Set<MeetingTransition> = []

        init(_ scenarios: [MeetingScenario]) {
            for scenario in scenarios {
                let exploration = MeetingExploration(scenario) { machine, event in
                    transitions.insert(MeetingTransition(machine, event))
                }
                explorations.append((scenario, exploration))
            }
        }
    }
}
