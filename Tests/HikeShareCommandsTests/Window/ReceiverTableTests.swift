import Foundation
import PeerTestSupport
import SharingReports
import SharingTestSupport
import Testing

@testable import MapPages
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore
@testable import SharingWindow

/// Who gets what is sent, as the window shows it.
@Suite struct ReceiverTableTests {
    private let anna = Sample.remotePeer(name: "Anna")

    private static func other(_ number: UInt8, _ name: String) -> RemotePeer {
        RemotePeer(
            id: Sample.peerID(number),
            displayName: name,
            platform: "Linux",
            software: "hikeshare 0.1.0",
            address: "192.168.1.\(number):4711",
            security: .encrypted(Sample.peerID(number)),
            trust: .unknown
        )
    }

    private static func update(_ peer: RemotePeer, _ state: TransferState, transfer: Int = 1) -> TransferUpdate {
        TransferUpdate(transfer: transfer, peer: peer, event: .transfer(state))
    }

    private static func facts(
        _ peer: RemotePeer,
        _ result: Result<TransferReceipt, any Error>,
        _ decision: SentFacts.Decision? = .accepted(Sample.date),
        transfer: Int = 1,
        isOneOfSeveral: Bool = false
    ) -> SentFacts {
        var facts = SentFacts(
            finished: TransferSender.Finished(
                transfer: transfer,
                peer: peer,
                result: result,
                bytesTransferred: 1000,
                bytesSaved: 0,
                unknownKinds: []
            ),
            decision: decision
        )
        facts.isOneOfSeveral = isOneOfSeveral
        return facts
    }

    private static func states(_ table: ReceiverTable) -> [AppWindowReceiver.State] { table.rows.map(\.state) }

    @Test func aTransferFromTheQuestionToTheEnd() {
        var table = ReceiverTable()
        table.note(Self.update(anna, .waitingForPeer))
        table.note(InvitationQuestion(peer: anna, regionName: "Coma Pedrosa"), isWelcome: false)
        #expect(table.rows == [AppWindowReceiver(name: anna.title.string, state: .asks, words: "asks you")])
        var seen: [AppWindowReceiver.State] = []
        for state: TransferState in [
            .connected, .transferring(Sample.progress(1_250_000)), .committing, .completed(TransferReceipt()),
        ] {
            table.note(Self.update(anna, state))
            seen += Self.states(table)
            if case .transferring = state {
                #expect(table.rows[0].words == "receives 45 %, 1 s left")
                #expect(table.rows[0].fraction.map { ($0 * 100).rounded() } == 45)
            }
        }
        #expect(seen == [.reviews, .receives, .finishes, .received] && table.rows[0].fraction == nil)
        // What comes late changes nothing.
        table.note(Self.facts(anna, .success(TransferReceipt())))
        table.note(Self.update(anna, .transferring(Sample.progress(1_250_000))))
        table.note(Self.update(anna, .failed(PeerError(.connectionLost, "A"))))
        #expect(Self.states(table) == [.received])
    }

    @Test func severalHaveTheirTurns() {
        var table = ReceiverTable()
        let ben = Self.other(2, "Ben")
        for (number, peer) in zip(1..., [anna, ben]) {
            let turn = TransferTurn(place: number, count: 2, timeLeft: .seconds(40))
            table.note(Self.update(peer, .queued(turn), transfer: number))
            table.note(Self.update(peer, .transferring(Sample.progress(125_000)), transfer: number))
        }
        #expect(Self.states(table) == [.receives, .waits])
        #expect(table.rows[1].words == "waits, second, about 40 s", "\(table.rows[1].words)")
        // The first one has everything.
        table.note(Self.update(anna, .completed(TransferReceipt()), transfer: 1))
        table.note(Self.update(ben, .queued(TransferTurn(place: 1, count: 1)), transfer: 2))
        table.note(Self.update(ben, .transferring(Sample.progress(2_000_000)), transfer: 2))
        #expect(Self.states(table) == [.received, .receives])
    }

    @Test(
        arguments: [
            (SentFacts.Decision?.some(.declined(.byPerson)), PeerError.Code.declined, AppWindowReceiver.State.declined),
            (.declined(.otherQuestions), .declined, .failed), (nil, .declined, .failed),
            (.accepted(Sample.date), .declined, .refused), (.accepted(Sample.date), .connectionLost, .lost),
            (.accepted(Sample.date), .peerCancelled, .stopped), (.accepted(Sample.date), .peerFailed, .failed),
        ]
    )
    func eachEndHasItsState(decision: SentFacts.Decision?, code: PeerError.Code, state: AppWindowReceiver.State) {
        var table = ReceiverTable()
        table.note(InvitationQuestion(peer: anna, regionName: "Coma Pedrosa"), isWelcome: false)
        table.note(Self.facts(anna, .failure(PeerError(code, "A")), decision))
        #expect(Self.states(table) == [state])
        // It comes back: one machine has one row.
        table.note(InvitationQuestion(peer: anna, regionName: "Coma Pedrosa"), isWelcome: true)
        table.note(Self.update(anna, .transferring(Sample.progress(1)), transfer: 2))
        #expect(Self.states(table) == [.receives])
    }

    /// One that picks of several goes on with the next one in the same transfer.
    @Test func oneThatPicksGoesOn() {
        var table = ReceiverTable()
        table.note(Self.update(anna, .transferring(Sample.progress(1))))
        table.note(Self.facts(anna, .success(TransferReceipt()), isOneOfSeveral: true))
        #expect(Self.states(table) == [.received])
        table.note(Self.update(anna, .transferring(Sample.progress(1))))
        #expect(Self.states(table) == [.receives])
    }

    @Test func phonesHaveRowsToo() {
        var table = ReceiverTable()
        var download = PhoneDownload(number: 1, client: "10.42.0.7", name: "a.html", size: 1000)
        download.sent(upTo: 450)
        table.note(download)
        #expect(table.rows[0].state == .receives && table.rows[0].words == "downloads a.html, 45 %")
        #expect(table.rows[0].name == "Phone 10.42.0.7" && table.rows[0].fraction == 0.45)
        download.turn = TransferTurn(place: 2, count: 2, timeLeft: .seconds(40))
        table.note(download)
        #expect(table.rows[0].state == .waits && table.rows[0].words == "waits, second, about 40 s: a.html, 45 %")
        download.ended(isComplete: false)
        table.note(download)
        #expect(Self.states(table) == [.lost])
        let file = PhoneFile(client: "10.42.0.7", name: "b.gpx", size: 100)
        table.note(PhoneUpload(number: 1, file: file, length: 10))
        #expect(Self.states(table) == [.lost, .sends])
        table.note(PhoneUpload(number: 1, file: file, length: 100))
        #expect(Self.states(table) == [.lost, .received])
    }

    /// However many come, the window has a limited number of rows with texts of limited length.
    @Test func theTableIsLimited() throws {
        var table = ReceiverTable()
        for number in 0..<UInt8(200) {
            let peer = Self.other(number, String(repeating: "long ", count: 1000))
            table.note(Self.update(peer, .transferring(Sample.progress(1)), transfer: Int(number)))
            if number.isMultiple(of: 2) { table.note(Self.facts(peer, .success(.init()), transfer: Int(number))) }
        }
        #expect(table.rows.count == AppWindowReceiver.maximumCount)
        let window = AppWindow()
        let surroundings = WindowSurroundings.ofTests
        let desk = WindowDesk(window: window, store: "/nonexistent", surroundings: surroundings)
        try #require(window.begin(ReceivingJob(at: desk)))
        let long = String(repeating: "é", count: 1000)
        window.show((0..<100).map { AppWindowReceiver(name: "\($0)", state: .receives, words: long, fraction: .nan) })
        #expect(window.current.receivers.map(\.name) == (60..<100).map { "\($0)" })
        #expect(window.current.receivers.allSatisfy { $0.words.utf8.count <= 303 && $0.fraction == nil })
        // They stay at the end of the job, and go with the next one.
        window.end()
        #expect(window.current.receivers.count == 40)
        try #require(window.begin(ReceivingJob(at: desk)))
        #expect(window.current.receivers.isEmpty)
    }

    /// What a sender tells comes into the window.
    @Test func theWindowShowsThem() throws {
        let window = try TestWindow()
        window.person.tell(
            .sending(.invited(InvitationQuestion(peer: anna, regionName: "Coma Pedrosa"), isWelcome: false))
        )
        #expect(window.window.current.receivers.map(\.state) == [.asks])
        window.person.tell(.sending(.progress(Self.update(anna, .transferring(Sample.progress(1_250_000))))))
        #expect(window.window.current.receivers.map(\.state) == [.receives])
        window.person.tell(.sending(.sent(Self.facts(anna, .success(TransferReceipt())))))
        window.person.tell(
            .phones(.download(PhoneDownload(number: 1, client: "10.42.0.7", name: "a.html", size: 1000)))
        )
        #expect(window.window.current.receivers.map(\.state) == [.received, .receives])
    }
}
