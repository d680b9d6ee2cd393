import NIOCore
import PeerCore
import SharingTestSupport
import Testing

@testable import RegionSharing
@testable import RegionStore

@Suite struct PeerPickerStateMachineTests {
    private let start = ContinuousClock.now
    private let marmot = Sample.discovered("Brave Marmot", 1)
    private let otter = Sample.discovered("Swift Otter", 2)

    private static func search(_ query: String? = nil, trusting trustedPeers: [TrustedPeer] = []) -> SenderSearch {
        SenderSearch(query: query, trustedPeers: trustedPeers, timeout: .seconds(10))
    }

    private func choice(
        _ query: String? = nil,
        trusting trustedPeers: [TrustedPeer] = [],
        asks: Bool = true
    ) -> PeerPickerStateMachine {
        PeerPickerStateMachine(Self.search(query, trusting: trustedPeers), asks: asks, now: start)
    }

    @Test func aSearchWithoutAnEndSaysOnceWhatToCheck() {
        var choice = PeerPickerStateMachine(SenderSearch(), asks: true, now: start)
        #expect(choice.received(.found(.allForNow), at: after(100)) == .none)
        #expect(choice.received(.tick, at: after(9_990)) == .none)
        #expect(choice.received(.tick, at: after(10_000)) == .advise(others: []))
        #expect(choice.received(.tick, at: after(10_020)) == .none)
        #expect(choice.received(.tick, at: after(86_400_000)) == .none, "the search has ended")
        _ = choice.received(.found(.found(marmot)), at: after(86_400_100))
        #expect(choice.received(.tick, at: after(86_401_000)) == .choose(marmot))
    }

    @Test func aSearchForANameSaysWhoElseIsThere() {
        var choice = PeerPickerStateMachine(SenderSearch(query: "badger"), asks: true, now: start)
        _ = choice.received(.found(.found(marmot)), at: after(100))
        #expect(choice.received(.tick, at: after(10_000)) == .advise(others: [marmot]))
    }

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    @Test func waitsUntilItIsSettledWhoIsThere() {
        var choice = choice()
        #expect(choice.received(.found(.found(marmot)), at: after(100)) == .none)
        #expect(choice.received(.tick, at: after(440)) == .none, "others may still answer")
        #expect(choice.received(.tick, at: after(500)) == .choose(marmot), "a single sender was asked about")
    }

    @Test func isSettledAtOnceWhenDiscoverySaysThatItIs() {
        var choice = choice(asks: false)
        #expect(choice.received(.found(.found(marmot)), at: after(0)) == .none)
        #expect(choice.received(.found(.allForNow), at: after(10)) == .none)
        #expect(choice.received(.tick, at: after(290)) == .none)
        #expect(choice.received(.tick, at: after(300)) == .choose(marmot))
    }

    @Test func waitsForOthersThanThoseWhoAreNotMeant() {
        var choice = choice("swift", asks: false)
        _ = choice.received(.found(.found(marmot)), at: after(100))
        #expect(choice.received(.tick, at: after(900)) == .none)
        _ = choice.received(.found(.found(otter)), at: after(1000))
        #expect(choice.received(.tick, at: after(1200)) == .none)
        #expect(choice.received(.tick, at: after(1300)) == .choose(otter))
    }

    @Test func waitsALittleForMoreAfterNews() {
        var choice = choice(asks: false)
        _ = choice.received(.found(.allForNow), at: after(0))
        _ = choice.received(.found(.found(marmot)), at: after(1000))
        #expect(choice.received(.tick, at: after(1200)) == .none)
        #expect(choice.received(.tick, at: after(1300)) == .choose(marmot))
    }

    @Test func givesUpWhenTimeIsOver() {
        var choice = choice()
        _ = choice.received(.found(.allForNow), at: after(500))
        #expect(choice.received(.tick, at: after(9900)) == .none)
        #expect(choice.received(.tick, at: after(10_000)) == .giveUp(.noSender(Self.search(), others: [])))
    }

    @Test func takesWhoIsThereWhenTimeIsOverBeforeItIsSettled() {
        var choice = choice(asks: false)
        _ = choice.received(.found(.found(marmot)), at: after(9990))
        #expect(choice.received(.tick, at: after(10_000)) == .choose(marmot))
    }

    // MARK: After a sender that refuses connections

    private func second(_ query: String? = nil, asks: Bool = true) -> PeerPickerStateMachine {
        PeerPickerStateMachine(
            SenderSearch(query: query, after: marmot, timeout: .seconds(10)),
            asks: asks,
            now: start
        )
    }

    @Test(arguments: [true, false]) func anotherOneComesBeforeTheOneThatRefuses(asks: Bool) {
        var choice = second(asks: asks)
        _ = choice.received(.found(.found(marmot)), at: after(0))
        _ = choice.received(.found(.allForNow), at: after(0))
        #expect(choice.received(.tick, at: after(400)) == .none)
        _ = choice.received(.found(.found(otter)), at: after(500))
        #expect(choice.received(.tick, at: after(800)) == .choose(otter))
    }

    @Test func theOneThatRefusesIsTriedAgainLater() {
        var choice = second()
        _ = choice.received(.found(.found(marmot)), at: after(0))
        #expect(choice.received(.tick, at: after(4_990)) == .none)
        #expect(choice.received(.tick, at: after(5_000)) == .choose(marmot))
    }

    @Test func whoHasStartedAgainIsTriedAtOnce() throws {
        var choice = second()
        var again = marmot
        again.socketAddresses = [try SocketAddress(ipAddress: "192.0.2.7", port: 7)]
        _ = choice.received(.found(.found(again)), at: after(0))
        #expect(choice.received(.tick, at: after(500)) == .choose(again))
    }

    @Test func ofSeveralOthersAPersonPicks() {
        var choice = second()
        for peer in [marmot, otter, Sample.discovered("Badger", 3)] {
            _ = choice.received(.found(.found(peer)), at: after(0))
        }
        guard case .ask = choice.received(.tick, at: after(500)) else {
            Issue.record("nothing is asked")
            return
        }
        var named = second("Brave")
        for peer in [marmot, otter] { _ = named.received(.found(.found(peer)), at: after(0)) }
        #expect(named.received(.tick, at: after(900)) == .none, "the other one is not meant")
    }

    @Test func asksForANumberWhenThereAreSeveral() {
        var choice = choice()
        _ = choice.received(.found(.found(marmot)), at: after(0))
        _ = choice.received(.found(.found(otter)), at: after(0))
        _ = choice.received(.found(.allForNow), at: after(0))
        guard case .ask(let list) = choice.received(.tick, at: after(400)) else {
            return #expect(Bool(false), "nothing was asked")
        }
        #expect(list.senders == [.init(number: 1, peer: marmot), .init(number: 2, peer: otter)])
        #expect(list.moreCount == 0 && list.objection == nil)
        #expect(choice.received(.answer(.words("2")), at: after(900)) == .choose(otter))
    }

    @Test(arguments: ["y", "", "3", "0", "-1", "two", "99999999999999999999"])
    func asksAgainForAnswersThatAreNoNumber(answer: String) {
        var choice = asking(marmot, otter)
        guard case .ask = choice.received(.answer(SenderAnswer(answer)), at: after(900)) else {
            return #expect(Bool(false), "nothing was asked")
        }
    }

    @Test func saysWhyAnAnswerWasNotTaken() {
        for (answer, objection) in [
            ("5", .noNumber("5")), (" An a ", .noSender("An a")), ("badger", .severalSenders("badger")), ("", nil),
        ] as [(String, SenderList.Objection?)] {
            var choice = asking(marmot, Sample.discovered("Badger", 3), Sample.discovered("badger", 4))
            guard case .ask(let list) = choice.received(.answer(SenderAnswer(answer)), at: after(900)) else {
                return #expect(Bool(false), "nothing was asked")
            }
            #expect(list.objection == objection)
            // The objection is no news.
            #expect(choice.received(.found(.changed(marmot)), at: after(2_000)) == .none)
        }
    }

    @Test(arguments: ["swift", "Swift Otter", " swift otter ", "tatras"])
    func takesANameOrARegionForAnAnswer(answer: String) {
        var choice = asking(marmot, Sample.discovered("Swift Otter", 2, region: "High Tatras"))
        guard case .choose(let peer) = choice.received(.answer(SenderAnswer(answer)), at: after(900)) else {
            return #expect(Bool(false), "“\(answer)” was not taken")
        }
        #expect(peer.displayName == "Swift Otter")
    }

    @Test func takesTheNameOfATrustedSenderHere() {
        let friend = TrustedPeer(id: Sample.peerID(2), name: "Anna", pinnedAt: Sample.date)
        let imitator = Sample.discovered("ANNA", 3)
        var choice = self.choice(trusting: [friend])
        for peer in [marmot, otter, imitator] { _ = choice.received(.found(.found(peer)), at: start) }
        _ = choice.received(.found(.allForNow), at: start)
        _ = choice.received(.tick, at: after(400))
        #expect(choice.received(.answer(.words("anna")), at: after(900)) == .choose(otter))
    }

    @Test(arguments: ["n", "No", "q"])
    func takesANoForANo(answer: String) {
        var choice = asking(marmot, otter)
        #expect(choice.received(.answer(SenderAnswer(answer)), at: after(900)) == .giveUp(.noneChosen))
    }

    @Test(arguments: [1, 2]) func takesALinkInstead(count: Int) throws {
        var choice = count == 1 ? asking(marmot) : asking(marmot, otter)
        let address = PeerAddress(host: "10.0.0.1", port: 4711)
        let application = try #require(PeerServiceType("trails"))
        let link = try ShareLink(for: application, addresses: [address], id: Sample.peerID(), token: .random())
        #expect(choice.received(.answer(.link(link)), at: after(900)) == .follow(link))
    }

    @Test func takesTheEndOfTheInputForANo() {
        var choice = asking(marmot)
        #expect(choice.received(.answer(SenderAnswer(nil)), at: after(900)) == .giveUp(.noneChosen))
    }

    @Test func asksOnceIfAnAnnouncementChangesWithoutADifference() {
        var choice = asking(marmot)
        #expect(choice.received(.found(.changed(marmot)), at: after(900)) == .none)
        #expect(choice.received(.answer(.words("y")), at: after(950)) == .choose(marmot))
    }

    @Test func givesUpAfterTheTimeLimitIfTheSenderIsGone() {
        var choice = asking(marmot)
        #expect(choice.received(.tick, at: after(20_000)) == .none)
        _ = choice.received(.found(.lost(marmot.id)), at: after(20_000))
        #expect(choice.received(.tick, at: after(29_900)) == .none)
        #expect(choice.received(.tick, at: after(30_000)) == .giveUp(.noSender(Self.search(), others: [])))
    }

    @Test func updatesTheListWhileItWaits() {
        var choice = asking(marmot)
        guard case .ask(let list) = choice.received(.found(.found(otter)), at: after(1_000)) else {
            return #expect(Bool(false), "the list was not updated")
        }
        #expect(list.senders.last == .init(number: 3, peer: otter))
    }

    /// Machines that come and go, or announce something else without end, neither hide the question nor fill the screen.
    @Test func announcementsWithoutEndPutOffNothing() {
        var search = choice()
        _ = search.received(.found(.found(marmot)), at: after(0))
        var asked: Int?
        for time in stride(from: 10, through: 5_000, by: 10) where asked == nil {
            _ = search.received(.found(time.isMultiple(of: 20) ? .found(otter) : .lost(otter.id)), at: after(time))
            if search.received(.tick, at: after(time)) != .none { asked = time }
        }
        #expect(asked.map { $0 <= 2_100 } == true, "nothing happens for \(asked ?? 5_000) ms")
        // The time limit holds, although a machine comes and goes.
        var limited = choice("badger")
        var ended: Int?
        for time in stride(from: 100, through: 20_000, by: 100) where ended == nil {
            let badger = Sample.discovered("Badger", 3)
            _ = limited.received(.found(.found(badger)), at: after(time))
            _ = limited.received(.found(.lost(badger.id)), at: after(time + 1))
            if case .giveUp = limited.received(.tick, at: after(time + 2)) { ended = time }
        }
        #expect(ended == 10_000)
        // The question is written anew three times a second at most, and at last says who is there.
        var question = asking(marmot, otter)
        var (count, last) = (0, [String]())
        for time in stride(from: 1_000, to: 11_000, by: 5) {
            let peer = Sample.discovered("Flood \(time)", UInt8(3 + time / 5 % 10))
            for input in [.found(.changed(peer)), .tick] as [PeerPickerStateMachine.Input] {
                guard case .ask(let list) = question.received(input, at: after(time)) else { continue }
                (count, last) = (count + 1, names(list))
            }
        }
        #expect((20...35).contains(count), "\(count)")
        if case .ask(let list) = question.received(.tick, at: after(12_000)) { last = names(list) }
        #expect(last.contains("Flood 10995"))
    }

    /// Many senders fit on a screen, and a flood of names does not hide a trusted one.
    @Test func aFloodOfNamesLeavesRoomForFriends() {
        let friend = TrustedPeer(id: Sample.peerID(200), name: "Anna", pinnedAt: Sample.date)
        var choice = choice(trusting: [friend])
        for number in 1...200 {
            _ = choice.received(.found(.found(Sample.discovered("Passer-by \(number)", UInt8(number)))), at: start)
        }
        _ = choice.received(.found(.allForNow), at: start)
        guard case .ask(let list) = choice.received(.tick, at: after(400)) else {
            return #expect(Bool(false), "nothing was asked")
        }
        #expect(list.senders.count == 20 && list.moreCount == 180)
        #expect(list.senders.first?.number == 200 && list.senders.first?.peer.peerID == friend.id)
        // Who is not shown can be named.
        #expect(
            choice.received(.answer(.words("Passer-by 77")), at: after(900))
                == .choose(Sample.discovered("Passer-by 77", 77))
        )
    }

    @Test func keepsNumbersWhenSomebodyGoes() {
        var choice = asking(marmot, otter)
        _ = choice.received(.found(.lost(marmot.id)), at: after(900))
        var again = choice
        #expect(choice.received(.answer(.words("2")), at: after(950)) == .choose(otter))
        guard case .ask = again.received(.answer(.words("1")), at: after(950)) else {
            return #expect(Bool(false), "the number of somebody who has gone was taken")
        }
    }

    @Test func doesNotRememberEverybodyWhoWent() {
        var choice = asking(marmot)
        for number in 3...202 {
            let peer = Sample.discovered("Passer-by \(number)", UInt8(number))
            _ = choice.received(.found(.found(peer)), at: after(900))
            _ = choice.received(.found(.lost(peer.id)), at: after(901))
        }
        #expect(choice.known.count <= PeerPickerStateMachine.maximumLost + 1)
        // Numbers that were shown still mean nobody else.
        _ = choice.received(.found(.found(otter)), at: after(902))
        guard case .ask(let list) = choice.received(.tick, at: after(1_300)) else {
            return #expect(Bool(false), "nothing was asked")
        }
        #expect(list.senders.last == .init(number: 203, peer: otter))
        #expect(choice.received(.answer(.words("203")), at: after(1_301)) == .choose(otter))
    }

    @Test func doesNotChooseSomebodyWhoHasGone() {
        var choice = asking(marmot)
        guard case .ask(let list) = choice.received(.found(.lost(marmot.id)), at: after(1_000)) else {
            return #expect(Bool(false), "nothing was asked")
        }
        #expect(list.senders.isEmpty)
        guard case .ask = choice.received(.answer(.words("y")), at: after(1_050)) else {
            return #expect(Bool(false), "somebody was chosen")
        }
    }

    @Test func choosesWhoIsNamedWithoutAsking() {
        var choice = choice("swift otter")
        _ = choice.received(.found(.found(marmot)), at: after(0))
        _ = choice.received(.found(.found(otter)), at: after(0))
        _ = choice.received(.found(.allForNow), at: after(0))
        #expect(choice.received(.tick, at: after(400)) == .choose(otter))
    }

    @Test func saysWhoElseIsThere() {
        var choice = choice("badger")
        _ = choice.received(.found(.found(marmot)), at: after(0))
        #expect(
            choice.received(.tick, at: after(10_000)) == .giveUp(.noSender(Self.search("badger"), others: [marmot]))
        )
    }

    @Test func guessesNothingWithoutAsking() {
        var choice = choice(asks: false)
        _ = choice.received(.found(.found(marmot)), at: after(0))
        _ = choice.received(.found(.found(otter)), at: after(0))
        _ = choice.received(.found(.allForNow), at: after(0))
        #expect(choice.received(.tick, at: after(400)) == .giveUp(.several(Self.search(), [marmot, otter])))
    }

    @Test(
        arguments: [
            ("Brave Marmot", ["Brave Marmot"]), ("brave", ["Brave Marmot", "Brave"]), ("SWIFT", ["Swift Otter"]),
            ("", []), ("xyz", []), (String(Sample.peerID(2).short), ["Swift Otter"]),
            (String(Sample.peerID(2).hex.prefix(4)).uppercased(), ["Swift Otter"]),
            (String(Sample.peerID(2).hex.prefix(3)), []),
        ] as [(String, [String])]
    )
    func matchesNamesAndIDs(query: String, names: [String]) {
        let peers = [marmot, otter, Sample.discovered("Brave", 3)]
        let expected = query == "brave" ? ["Brave"] : names
        #expect(PeerQuery(query).matches(peers).map(\.displayName) == expected)
    }

    private func names(_ list: SenderList) -> [String] { list.senders.map(\.peer.displayName) }

    /// A choice that asks about these peers, of which a single one is left of two.
    private func asking(_ peers: DiscoveredPeer...) -> PeerPickerStateMachine {
        var choice = choice()
        let gone = peers.count == 1 ? [Sample.discovered("Gone", 99)] : []
        for peer in peers + gone { _ = choice.received(.found(.found(peer)), at: start) }
        _ = choice.received(.found(.allForNow), at: start)
        _ = choice.received(.tick, at: after(400))
        for peer in gone { _ = choice.received(.found(.lost(peer.id)), at: after(500)) }
        _ = choice.received(.tick, at: after(700))
        return choice
    }
}
