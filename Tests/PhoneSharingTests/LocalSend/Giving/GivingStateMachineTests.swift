import Foundation
import RegionSharing
import RegionStore
import Testing

@testable import PhoneSharing

/// To whom a sender gives files by LocalSend, in which order, and when that is all.
@Suite struct GivingStateMachineTests {
    private typealias Machine = GivingStateMachine

    private static let (hut, lake) = (UUID(), UUID())

    private static func phone(_ number: Int, _ name: String = "Anna") -> LocalSendPhone {
        WantedPhonesTests.phone(number, name)
    }

    private static func choice(
        _ phone: LocalSendPhone,
        _ kind: DownloadKind = .html,
        of region: UUID? = nil
    ) -> PhoneChoice {
        PhoneChoice(phone, region ?? hut, kind)
    }

    private static func machine(
        _ names: [String] = [],
        _ regions: [UUID] = [hut],
        asks: Bool = true,
        isAfterFirst: Bool = false
    ) -> Machine {
        Machine(wanting: names, regions.map { ($0, .html) }, asks: asks, isAfterFirst: isAfterFirst)
    }

    // MARK: Picking

    @Test func aPersonIsAskedOnceThereIsAPhoneAndTheListFollows() {
        var machine = Self.machine()
        let (one, two) = (Self.phone(1), Self.phone(2))
        #expect(machine.found([]) == [])
        #expect(machine.found([one]) == [.ask([one])])
        #expect(machine.found([one]) == [])
        #expect(machine.found([one, two]) == [.list([one, two])])
        #expect(machine.found([]) == [.list([])])
        #expect(machine.found([two]) == [.list([two])])
    }

    @Test func withoutAPersonNobodyIsAsked() {
        var machine = Self.machine(asks: false)
        #expect(machine.found([Self.phone(1)]) == [])
        var unheard = Self.machine()
        _ = unheard.found([Self.phone(1)])
        #expect(unheard.answered(nil) == [] && unheard.found([Self.phone(2)]) == [])
    }

    @Test func eachAnswerIsPerformedAndTheQuestionComesBack() {
        var machine = Self.machine()
        let (one, two) = (Self.phone(1), Self.phone(2))
        _ = machine.found([one, two])
        #expect(
            machine.answered(.send(Self.choice(one))) == [
                .send(1, Self.choice(one), isWanted: false), .ask([one, two]),
            ]
        )
        #expect(
            machine.answered(.send(Self.choice(two, .gpx))) == [
                .send(2, Self.choice(two, .gpx), isWanted: false), .ask([one, two]),
            ]
        )
        #expect(machine.openCount == 2 && !machine.hasSent)
        #expect(machine.ended(1, nil) == [] && machine.openCount == 1 && machine.hasSent)
        #expect(machine.ended(2, .declined) == [] && machine.openCount == 0)
    }

    /// LocalSend takes one session at a time.
    @Test func aPhoneGetsOneFileAfterTheOther() {
        var machine = Self.machine()
        let one = Self.phone(1)
        _ = machine.found([one])
        _ = machine.answered(.send(Self.choice(one)))
        #expect(machine.answered(.send(Self.choice(one, .gpx))) == [.ask([one])])
        // Nothing is sent twice because somebody was impatient.
        #expect(machine.answered(.send(Self.choice(one))) == [.ask([one])])
        #expect(machine.answered(.send(Self.choice(one, .gpx))) == [.ask([one])])
        #expect(machine.ended(1, .busy) == [.send(2, Self.choice(one, .gpx), isWanted: false)])
        #expect(machine.ended(2, nil) == [] && machine.openCount == 0)
        #expect(machine.ended(2, nil) == [])
    }

    @Test func aStopEndsWhatRunsAndWhatWaits() {
        var machine = Self.machine()
        let one = Self.phone(1)
        _ = machine.found([one])
        #expect(machine.answered(.stop(one)) == [.ask([one])])
        _ = machine.answered(.send(Self.choice(one)))
        _ = machine.answered(.send(Self.choice(one, .gpx)))
        #expect(machine.answered(.stop(one)) == [.stop(1), .ask([one])])
        #expect(machine.ended(1, .stoppedHere) == [] && machine.openCount == 0)
    }

    // MARK: Wanted phones

    @Test func aWantedPhoneGetsEveryRegionAsSoonAsItIsThere() {
        var machine = Self.machine(["Anna"], [Self.hut, Self.lake], asks: false)
        let anna = Self.phone(7)
        #expect(machine.found([Self.phone(1, "Ben")]) == [])
        #expect(machine.found([anna]) == [.send(1, Self.choice(anna), isWanted: true)])
        #expect(machine.ended(1, nil) == [.send(2, Self.choice(anna, of: Self.lake), isWanted: true)])
        // The sender goes on without a wish to end.
        #expect(machine.ended(2, nil) == [])
        #expect(machine.found([]) == [] && machine.found([anna]) == [])
    }

    @Test func aDoubtIsToldOnce() {
        var machine = Self.machine(["Anna"], asks: false)
        let two = [Self.phone(1), Self.phone(2)]
        #expect(machine.found(two) == [.doubt(name: "Anna", isChanged: false)])
        #expect(machine.found(two) == [])
        let changed = [WantedPhonesTests.phone(3, "Anna", .changed)]
        #expect(machine.found(changed) == [.doubt(name: "Anna", isChanged: true)])
    }

    @Test(arguments: [nil, LocalSendEnd.declined, .lost, .noFile("Full.")])
    func itEndsWhenAllWantedPhonesWereServed(end: LocalSendEnd?) {
        var machine = Self.machine(["Anna", "Ben"], asks: false, isAfterFirst: true)
        let (anna, ben) = (Self.phone(1), Self.phone(2, "Ben"))
        _ = machine.found([anna])
        #expect(machine.ended(1, end) == [])
        _ = machine.found([anna, ben])
        // The first failure is that of the command.
        #expect(machine.ended(2, nil) == [.end(end.map { .ended(anna, $0) })])
    }

    /// A phone that has the file already is no failure.
    @Test func nothingNeededIsASuccess() {
        var machine = Self.machine(["Anna"], asks: false, isAfterFirst: true)
        _ = machine.found([Self.phone(1)])
        #expect(machine.ended(1, .notNeeded) == [.end(nil)])
    }

    @Test func theFirstCompleteTransferIsTheLastOneIfThatIsWished() {
        var machine = Self.machine(isAfterFirst: true)
        let one = Self.phone(1)
        _ = machine.found([one])
        _ = machine.answered(.send(Self.choice(one)))
        #expect(machine.ended(1, .declined) == [])
        _ = machine.answered(.send(Self.choice(one)))
        #expect(machine.ended(2, nil) == [.end(nil)])
    }

    @Test func atTheEndEverythingIsStopped() {
        var machine = Self.machine()
        let (one, two) = (Self.phone(1), Self.phone(2))
        _ = machine.found([one, two])
        _ = machine.answered(.send(Self.choice(one)))
        _ = machine.answered(.send(Self.choice(one, .gpx)))
        _ = machine.answered(.send(Self.choice(two)))
        #expect(machine.closed() == [.stop(1), .stop(2)])
        #expect(machine.ended(1, .stoppedHere) == [] && machine.ended(2, .stoppedHere) == [])
        #expect(machine.openCount == 0)
    }
}
