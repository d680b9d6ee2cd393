import Glibc
import HostNetwork
import Testing

@testable import Diagnosis

@Suite struct CountedConnectionTests {
    private typealias Facts = CountedConnection.Facts

    /// A repetition that the kernel could not hand on was dropped on this machine, whatever others send.
    @Test func aDroppedRepetitionIsKeptBack() {
        let facts = Facts(error: 0, repetitions: 1, handedOn: 0, sent: 500)
        #expect(CountedConnection.outcome(facts, isOver: false) == .kept)
    }

    @Test func aRepetitionThatLeftIsSilent() {
        let facts = Facts(error: 0, repetitions: 1, handedOn: 1, sent: 2)
        #expect(CountedConnection.outcome(facts, isOver: false) == nil)
        #expect(CountedConnection.outcome(facts, isOver: true) == .silent(hasLeft: true))
    }

    /// Before the neighbour is found, the kernel repeats nothing.
    @Test func withoutARepetitionItIsNotCertain() {
        #expect(CountedConnection.outcome(Facts(error: 0, sent: 3), isOver: true) == .silent(hasLeft: false))
        #expect(CountedConnection.outcome(Facts(error: 0, sent: nil), isOver: true) == .silent(hasLeft: false))
        #expect(CountedConnection.outcome(Facts(error: 0, sent: 0), isOver: true) == .kept)
    }

    @Test(
        arguments: [
            (0, true, false, nil), (0, false, true, .kept), (3, false, true, .kept),
            (4, true, false, .refused(isCertain: true)),
            (4, false, false, nil), (9, false, true, .refused(isCertain: false)),
            (nil, true, false, .refused(isCertain: false)),
            (8, true, false, .refused(isCertain: true)), (9, true, false, .refused(isCertain: false)),
        ] as [(UInt64?, Bool, Bool, CountedConnection.Outcome?)]
    )
    func aRefusalIsCounted(sentAgain: UInt64?, isSoon: Bool, isOver: Bool, outcome: CountedConnection.Outcome?) {
        let facts = Facts(error: ECONNREFUSED, sent: 1, sentAgain: sentAgain)
        #expect(CountedConnection.outcome(facts, isSoon: isSoon, isOver: isOver) == outcome)
    }

    @Test func whatHasNoWayOrIsForbiddenIsKnownAtOnce() {
        #expect(CountedConnection.outcome(Facts(error: ENETUNREACH, hasNoWay: true), isOver: false) == .noRoute)
        #expect(CountedConnection.outcome(Facts(error: EPERM), isOver: false) == .kept)
    }

    @Test func onlyNamesOfInterfacesAreRead() {
        for name in ["", "..", "a/b", "../lo"] { #expect(CountedConnection.sentPackets(of: name) == nil) }
    }
}
