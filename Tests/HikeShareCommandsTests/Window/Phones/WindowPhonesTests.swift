import Foundation
import PeerTestSupport
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import MapPages
@testable import PeerCore
@testable import RegionSharing
@testable import SharingWindow

extension LocalSendPhone {
    /// A phone of tests.
    static func ofTests(
        _ number: Int = 1,
        _ name: String = "Pixel",
        _ recognition: Recognition = .new,
        model: String? = nil,
        isEncrypted: Bool = true
    ) -> LocalSendPhone {
        LocalSendPhone(
            number: number,
            name: name,
            recognition: recognition,
            model: model,
            address: "10.0.0.\(number)",
            fingerprint: isEncrypted ? String(repeating: "a", count: 64) : nil
        )
    }
}

/// The phones to which a sender can send, in the window.
@Suite(.timeLimit(.minutes(10))) struct WindowPhonesTests {
    private let one = LocalSendPhone.ofTests(1)
    private let two = LocalSendPhone.ofTests(2, "Anna", .confirmed, model: "F5")
    private let lists: AsyncStream<[LocalSendPhone]>
    private let continuation: AsyncStream<[LocalSendPhone]>.Continuation
    private let region: RegionSummary

    init() throws {
        (lists, continuation) = AsyncStream.makeStream(of: [LocalSendPhone].self)
        region = try Sample.region(name: "Coma Pedrosa")
    }

    private func question(_ phones: [LocalSendPhone], _ regions: [RegionSummary]? = nil) -> PhonesQuestion {
        let regions = regions ?? [region]
        let kinds = Dictionary(regions.map { ($0.id, [DownloadKind.html, .gpx]) }) { $1 }
        return PhonesQuestion(phones, later: lists, regions: regions, kinds: kinds)
    }

    private func send(_ phone: Int, _ kind: String = "html", of region: UUID? = nil) -> AppWindowPhone.Wish {
        .send(phone: phone, region: (region ?? self.region.id).uuidString, kind: kind)
    }

    private static func list(in window: AppWindow) async -> [AppWindowPhone] {
        while true {
            if let list = window.phones.current.list { return list }
            await Task.yield()
        }
    }

    @Test func theyAreAListBesideTheQuestions() async throws {
        let window = try TestWindow()
        async let answer = window.person.ask(question([one, two]))
        let list = await Self.list(in: window.window)
        #expect(list.map(\.name) == ["“Pixel” (LocalSend, new)", "“Anna” (LocalSend)"])
        #expect(list.map(\.facts) == ["", "“F5”"] && list.allSatisfy { !$0.isBusy })
        let files = window.window.phones.current.files
        #expect(files.map(\.title) == ["The map for this phone", "Routes and waypoints (GPX)"])
        #expect(files.allSatisfy { $0.regionName == nil } && window.window.current.question == nil)
        // Another question is asked meanwhile.
        async let other = window.person.confirm("Send it to Ben?")
        _ = await window.asked()
        #expect(window.answer("y"))
        #expect(try await other)
        // They come and go.
        continuation.yield([two])
        while window.window.phones.current.list?.count != 1 { await Task.yield() }
        let wishes = [send(1), send(2, "zip"), send(2, "html", of: UUID()), .stop(phone: 2)]
        for wish in wishes { #expect(!window.window.phones.choose(wish), "\(wish)") }
        #expect(window.window.phones.choose(send(2, "gpx")))
        #expect(try await answer == .send(PhoneChoice(two, region.id, .gpx)))
        // At the end of the job, nothing can be chosen.
        window.person.sender?.phones.end()
        #expect(window.window.phones.current.list == nil && !window.window.phones.choose(send(2)))
    }

    @Test func ofSeveralRegionsEachIsNamed() async throws {
        let window = try TestWindow()
        let regions = [region, try Sample.region(name: "Fiji\u{1b}[2J", id: UUID())]
        let question = question([one], regions)
        async let answer = window.person.ask(question)
        _ = await Self.list(in: window.window)
        let files = window.window.phones.current.files
        #expect(files.map(\.region) == regions.flatMap { [$0.id.uuidString, $0.id.uuidString] })
        #expect(files.first?.regionName == "Coma Pedrosa" && files.last?.regionName?.contains("\u{1b}") == false)
        #expect(window.window.phones.choose(send(1, of: regions[1].id)))
        #expect(try await answer == .send(PhoneChoice(one, regions[1].id, .html)))
    }

    /// The sender is busy with the first choice when the second button is pressed.
    @Test func whatIsChosenInBetweenIsKept() async throws {
        let window = try TestWindow()
        async let first = window.person.ask(question([one, two]))
        _ = await Self.list(in: window.window)
        #expect(window.window.phones.choose(send(1)) && window.window.phones.choose(send(2)))
        #expect(try await first == .send(PhoneChoice(one, region.id, .html)))
        #expect(try await window.person.ask(question([one, two])) == .send(PhoneChoice(two, region.id, .html)))
        // Not without end.
        var count = 0
        while count < 1000, window.window.phones.choose(send(1)) { count += 1 }
        #expect(count == 16)
    }

    @Test func whatAPhoneGetsCanBeStopped() async throws {
        let window = try TestWindow()
        async let answer = window.person.ask(question([one, two]))
        _ = await Self.list(in: window.window)
        var transfer = LocalSendTransfer(number: 1, phone: one, name: "coma-pedrosa.html", size: 1000)
        window.person.tell(.phones(.localSend(.sending(transfer))))
        #expect(window.window.phones.current.list?.map(\.isBusy) == [true, false])
        #expect(window.window.current.receivers.map(\.phone) == [1])
        #expect(!window.window.phones.choose(send(1)) && !window.window.phones.choose(.stop(phone: 2)))
        #expect(window.window.phones.choose(.stop(phone: 1)))
        #expect(try await answer == .stop(one))
        transfer.state = .ended(.stoppedHere)
        window.person.tell(.phones(.localSend(.sending(transfer))))
        #expect(window.window.phones.current.list?.map(\.isBusy) == [false, false])
        #expect(window.window.current.receivers.map(\.phone) == [nil])
        #expect(window.words.contains("Sending to “Pixel” (LocalSend, new) was stopped."))
        #expect(!window.window.phones.choose(.stop(phone: 1)) && window.window.phones.choose(send(1)))
    }

    /// The question is withdrawn with the sender, and nobody chooses anything then.
    @Test func aQuestionThatIsWithdrawnEnds() async throws {
        let window = try TestWindow()
        await withThrowingTaskGroup(of: PhonesAnswer?.self) { group in
            group.addTask { try await window.person.ask(question([one])) }
            _ = await Self.list(in: window.window)
            group.cancelAll()
            await #expect(throws: CancellationError.self) { _ = try await group.next() }
        }
    }

    @Test func textsOfPhonesAreLimited() async throws {
        let window = AppWindow()
        let long = String(repeating: "é", count: 1000)
        let phones = (0..<100).map { AppWindowPhone(number: $0, name: long, facts: long, isBusy: false) }
        window.phones.show(phones, files: []) { _ in false }
        let list = try #require(window.phones.current.list)
        #expect(list.count == AppWindowPhone.maximumCount)
        #expect(list.allSatisfy { $0.name.utf8.count <= 303 && $0.facts.utf8.count <= 303 })
        for number in 0..<100 { window.phones.tell(AppWindowText("\(number)\(long)")) }
        #expect(window.phones.current.lines.lines.count == AppWindowNews.maximumLineCount)
    }

    // MARK: Rows

    private func transfer(_ state: LocalSendTransfer.State, _ bytes: UInt64 = 0) -> LocalSendTransfer {
        var transfer = LocalSendTransfer(number: 1, phone: one, name: "a.html", size: 1000)
        (transfer.state, transfer.bytes) = (state, bytes)
        return transfer
    }

    @Test func aTransferIsARowFromTheFileToTheEnd() {
        var table = ReceiverTable()
        let steps: [(LocalSendTransfer.State, AppWindowReceiver.State, String)] = [
            (.preparing, .waits, "waits until a.html is made"),
            (.asking, .waits, "waits for your answer about a.html"),
            (.waiting, .reviews, "waits for an answer about a.html"),
            (.running, .receives, "receives a.html, 45 %"), (.complete, .received, "has a.html"),
        ]
        for (state, shown, words) in steps {
            table.note(transfer(state, 450))
            #expect(table.rows.map(\.state) == [shown] && table.rows[0].words == words, "\(table.rows[0].words)")
            #expect(table.rows[0].phone == (shown == .received ? nil : 1))
        }
        #expect(table.rows[0].name == "“Pixel” (LocalSend, new)" && table.rows[0].fraction == nil)
    }

    @Test func whatEndsInTheMiddleIsNamed() {
        var table = ReceiverTable()
        table.note(transfer(.ended(.cancelledThere)))
        #expect(table.rows.map(\.words) == ["stopped there: a.html"])
    }

    /// Who tries it again does not fill the table.
    @Test func aTransferTakesThePlaceOfOneWithoutSuccess() {
        var table = ReceiverTable()
        for number in 1...3 {
            var transfer = transfer(.ended(.busy))
            transfer.number = number
            table.note(transfer)
        }
        #expect(table.rows.map(\.words) == ["is busy"])
        var other = LocalSendTransfer(number: 4, phone: two, name: "a.html", size: 1000)
        other.state = .ended(.declined)
        table.note(other)
        var last = transfer(.complete)
        last.number = 5
        table.note(last)
        #expect(table.rows.map(\.state) == [.received, .refused])
        // What it has stays, whatever it gets besides.
        last.number = 6
        table.note(last)
        #expect(table.rows.map(\.state) == [.received, .refused, .received])
    }

    @Test func aTransferHasItsTurnAndItsTime() {
        var table = ReceiverTable()
        var running = transfer(.running, 450)
        running.secondsLeft = 12
        table.note(running)
        #expect(table.rows[0].words == "receives a.html, 45 %, 12 s left" && table.rows[0].fraction == 0.45)
        running.turn = TransferTurn(place: 2, count: 2, timeLeft: .seconds(40))
        running.secondsLeft = nil
        table.note(running)
        #expect(table.rows[0].state == .waits && table.rows[0].words == "waits, second, about 40 s: a.html, 45 %")
    }

    @Test(
        arguments: [
            (LocalSendEnd.declined, AppWindowReceiver.State.refused), (.notNeeded, .received), (.noPIN, .failed),
            (.wrongPIN, .failed), (.busy, .failed), (.cancelledThere, .stopped), (.stoppedHere, .stopped),
            (.unreachable, .failed), (.otherDevice, .failed), (.lost, .lost), (.damaged, .failed),
            (.noFile("There is no space."), .failed), (.failedThere(status: 500), .failed),
        ]
    )
    func eachEndOfATransferHasItsState(end: LocalSendEnd, state: AppWindowReceiver.State) {
        var table = ReceiverTable()
        table.note(transfer(.ended(end)))
        #expect(table.rows.map(\.state) == [state] && table.rows[0].phone == nil && !table.rows[0].words.isEmpty)
    }

    // MARK: Questions

    @Test(arguments: [("1234", "1234"), ("", nil), ("\u{1}", nil)] as [(String, String?)])
    func aPINIsAskedForAndNotShown(answer: String, pin: String?) async throws {
        let window = try TestWindow()
        async let given = window.person.ask(PhonePINQuestion(one, isAfterWrong: false))
        let shown = try #require(await window.asked())
        #expect(shown.form == .line && shown.choices.map(\.name) == ["Cancel"])
        #expect(window.answer(answer))
        #expect(try await given == pin)
        #expect(window.window.current.lines.last?.answer == (answer == "\u{1}" ? "Cancel" : "•••"))
    }

    @Test(arguments: [("Anna", "Anna"), ("", "Pixel"), (" ", "Pixel"), ("\u{1}", nil)] as [(String, String?)])
    func aPhoneGetsAName(answer: String, name: String?) async throws {
        let window = try TestWindow()
        async let given = window.person.ask(PhoneNameQuestion(one))
        let shown = try #require(await window.asked())
        #expect(shown.usual == "Pixel" && shown.choices.map(\.name) == ["Do not remember it"])
        #expect(window.answer(answer))
        #expect(try await given == name)
    }
}
