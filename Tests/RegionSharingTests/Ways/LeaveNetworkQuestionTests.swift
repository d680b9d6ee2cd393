import PeerTestSupport
import Testing

@testable import RegionSharing

/// Who decides whether a laptop leaves its Wi-Fi network.
@Suite struct LeaveNetworkQuestionTests {
    private struct Decider: Person {
        let leaves: Bool
        let events = Locked<[String]>([])

        func tell(_ happening: Happening) {
            if case .networks(.leaving(let question)) = happening { events.withLock { $0.append(question.current) } }
        }

        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
            events.withLock { $0.append("asked") }
            return leaves as? Asked.Answer ?? question.defaultAnswer
        }
    }

    private static func question(_ purpose: LeaveNetworkQuestion.Purpose) -> LeaveNetworkQuestion {
        LeaveNetworkQuestion(current: "Hut", name: "trails-7K3M", purpose: purpose)
    }

    @Test func isAskedOfAPerson() async throws {
        let willing = Decider(leaves: true)
        try await Self.question(.making).settle(.person, willing)
        #expect(willing.events.value == ["asked"])
        for (purpose, error) in [(.making, .notMade), (.joining, .notJoined)]
            as [(LeaveNetworkQuestion.Purpose, NetworkError)]
        {
            await #expect(throws: error) {
                try await Self.question(purpose).settle(.person, Decider(leaves: false))
            }
        }
    }

    @Test func isToldIfEverythingIsAccepted() async throws {
        let person = Decider(leaves: false)
        try await Self.question(.joining).settle(.everything, person)
        #expect(person.events.value == ["Hut"])
    }

    @Test func withoutAPersonTheLaptopStays() async throws {
        let person = Decider(leaves: true)
        await #expect(throws: NetworkError.nobodyToAsk(leaving: "Hut")) {
            try await Self.question(.joining).settle(.knownMachines, person)
        }
        #expect(person.events.value.isEmpty)
    }
}
