import Foundation
import PeerTestSupport
import RegionStore
import SharingTestSupport
import Testing

@testable import PhoneSharing
@testable import RegionSharing

/// Whom a desk gives files, as a person picks and as phones come and go.
@Suite(.timeLimit(.minutes(10))) struct PhoneDeskTests {
    /// What a test has of a running desk.
    private struct Bench: Sendable {
        let desk: PhoneDesk
        let phones: AsyncStream<[LocalSendPhone]>.Continuation
        let orders: Locked<[PhoneDesk.Order]>
        let stopped: Locked<[Int]>
        let given: Locked<[LocalSendPhone]>

        func wait(until condition: () -> Bool) async throws {
            let end = ContinuousClock.now + .patience
            while !condition() {
                guard ContinuousClock.now < end else { throw CancellationError() }
                await Task.yield()
            }
        }
    }

    private static func phone(_ number: Int) -> LocalSendPhone { WantedPhonesTests.phone(number, "Phone \(number)") }

    /// Runs a desk whose transfers end as a test says.
    private static func with(
        _ person: TestPerson,
        _ change: (inout LocalSendWishes) -> Void = { _ in },
        give: @escaping @Sendable (PhoneDesk.Order) async -> LocalSendEnd?,
        _ body: @escaping @Sendable (Bench) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let files = try ExamplePage(in: directory, person).files
            let (phones, continuation) = AsyncStream.makeStream(of: [LocalSendPhone].self)
            let bench = Bench(
                desk: PhoneDesk(of: files),
                phones: continuation,
                orders: Locked([]),
                stopped: Locked([]),
                given: Locked([])
            )
            var wishes = LocalSendWishes()
            change(&wishes)
            let (region, wanted) = (files.sent[0].region.id, wishes)
            let ways = PhoneDesk.Ways(
                phones: phones,
                give: { order in
                    bench.orders.withLock { $0.append(order) }
                    return await give(order)
                },
                stop: { number in bench.stopped.withLock { $0.append(number) } },
                given: { phone in bench.given.withLock { $0.append(phone) } }
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await body(bench) }
                try await bench.desk.run(wanted, wanted: [(region, .gpx)], ways)
                try await group.next()
            }
        }
    }

    @Test func aPickedPhoneGetsWhatWasPickedAndIsAskedAboutAgain() async throws {
        let asked = Locked(0)
        let person = TestPerson { question in
            guard let question = question as? PhonesQuestion, let region = question.regions.first else { return nil }
            let count = asked.withLock { count in
                count += 1
                return count
            }
            #expect(question.kinds[region.id]?.contains(.gpx) == true)
            return count < 3 ? PhonesAnswer.send(PhoneChoice(question.phones[0], region.id, .gpx)) : nil
        }
        try await Self.with(
            person,
            { $0.asks = true },
            give: { $0.number == 1 ? .declined : nil },
            { bench in
                bench.phones.yield([Self.phone(1)])
                try await bench.wait { bench.given.value.count == 1 }
                bench.desk.close()
            }
        )
        #expect(asked.value == 3)
    }

    @Test func itIsClosedWhenThePhonesKnow() async throws {
        let isPicked = Locked(false)
        let person = TestPerson { question in
            guard let question = question as? PhonesQuestion, let region = question.regions.first,
                isPicked.withLock({ isPicked in
                    defer { isPicked = true }
                    return !isPicked
                })
            else { return nil }
            return PhonesAnswer.send(PhoneChoice(question.phones[0], region.id, .gpx))
        }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        try await Self.with(
            person,
            { $0.asks = true },
            give: { _ in
                for await _ in ended {}
                return .stoppedHere
            },
            { bench in
                bench.phones.yield([Self.phone(1)])
                try await bench.wait { bench.orders.value.count == 1 && bench.desk.activity.openCount == 1 }
                bench.desk.close()
                try await bench.wait { bench.stopped.value == [1] }
                #expect(bench.desk.activity == CompanionActivity(openCount: 1, hasSent: false))
                end.finish()
            }
        )
    }

    @Test func itEndsWithTheErrorOfAWantedPhone() async throws {
        await #expect(throws: LocalSendError.ended(Self.phone(1), .busy)) {
            try await Self.with(
                TestPerson(),
                { ($0.phones, $0.stopsAfterFirst) = (["Phone 1"], true) },
                give: { _ in .busy },
                { bench in bench.phones.yield([Self.phone(1)]) }
            )
        }
    }

    @Test func aDoubtIsToldToThePerson() async throws {
        let person = TestPerson()
        let body: @Sendable (Bench) async throws -> Void = { bench in
            bench.phones.yield([Self.phone(1), WantedPhonesTests.phone(2, "Phone 1")])
            try await bench.wait {
                person.told.contains { happening in
                    if case .phones(.localSend(.doubt(name: "Phone 1", isChanged: false))) = happening { return true }
                    return false
                }
            }
            #expect(bench.orders.value.isEmpty)
            bench.desk.close()
        }
        try await Self.with(person, { $0.phones = ["Phone 1"] }, give: { _ in nil }, body)
    }
}
