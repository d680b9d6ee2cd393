import Foundation
import PeerCore
import Sentences
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionSharing
@testable import RegionStore
@testable import SharingReports

/// What people and programs read of files for phones with LocalSend.
@Suite struct LocalSendWordsTests {
    private static let ends: [LocalSendEnd] = [
        .declined, .notNeeded, .noPIN, .wrongPIN, .busy, .cancelledThere, .stoppedHere, .unreachable, .otherDevice,
        .lost, .damaged, .noFile("The laptop has no space on its disk for this file."), .failedThere(status: 507),
    ]

    private static func phone(_ name: String = "Fancy Apple") -> LocalSendPhone {
        PhonesPromptTests.phone(1, name, model: "iPhone")
    }

    private static func transfer(
        _ state: LocalSendTransfer.State,
        bytes: UInt64 = 0,
        turn: TransferTurn? = nil,
        secondsLeft: Double? = nil
    ) -> LocalSendTransfer {
        var transfer = LocalSendTransfer(number: 3, phone: phone(), name: "Coma Pedrosa.html", size: 69_000_000)
        (transfer.state, transfer.bytes, transfer.turn, transfer.secondsLeft) = (state, bytes, turn, secondsLeft)
        return transfer
    }

    @Test func eachStateHasALine() {
        let title = "“Fancy Apple” (LocalSend, new)"
        #expect(Self.transfer(.preparing).line.string == "Making Coma Pedrosa.html for \(title)…")
        #expect(
            Self.transfer(.asking).line.string == "\(title) waits for your answer before it gets Coma Pedrosa.html…"
        )
        #expect(Self.transfer(.waiting).line.string == "\(title) asks whether to take Coma Pedrosa.html…")
        #expect(Self.transfer(.complete).line.string == "\(title) has Coma Pedrosa.html, 69.0 MB")
        let half = Self.transfer(.running, bytes: 34_500_000)
        #expect(half.line.string == "\(title) gets Coma Pedrosa.html, 69.0 MB: 50 %")
        let alone = Self.transfer(.running, bytes: 34_500_000, secondsLeft: 20)
        #expect(alone.line.string == half.line.string + ", \(Wording.roughly(.seconds(20)))")
        let second = TransferTurn(place: 2, count: 3)
        let waiting = Self.transfer(.running, bytes: 34_500_000, turn: second, secondsLeft: 20)
        #expect(waiting.line.string == half.line.string + ", second, \(Wording.roughly(.seconds(20)))")
    }

    /// Each end says what has happened and, if something can be done, what: in a terminal and in the window.
    @Test(arguments: ends) func eachEndIsSaid(end: LocalSendEnd) {
        let transfer = Self.transfer(.ended(end))
        let (reason, phone) = (end.reason(Self.phone()).english, Self.phone().title.string)
        if case .noFile(let sentence) = end { #expect(reason == sentence) } else { #expect(reason.contains(phone)) }
        #expect(reason.hasSuffix("."))
        #expect(
            transfer.text.string == ([reason] + [end.advice?.typed.english].compactMap { $0 }).joined(separator: "\n")
        )
        #expect(
            transfer.windowText.string
                == ([reason] + [end.advice?.window?.english].compactMap { $0 }).joined(separator: " ")
        )
        #expect(!transfer.windowText.string.contains("--"))
        // A row of a list has little room.
        #expect(end.words.count <= 24 && !end.words.hasSuffix("."))
        let lines = OutputStyle(width: 80, hasColor: false).lines(of: transfer.text)
        #expect(lines.allSatisfy { $0.width <= 80 } && lines.count <= 4)
    }

    /// Who opens the file in the mountains must not be surprised by what it lacks.
    @Test func whatTheFileLacksIsSaidWithTheLastWord() throws {
        var transfer = Self.transfer(.complete)
        #expect(transfer.text == transfer.line && transfer.windowText == transfer.line)
        (transfer.lack, transfer.wholeKinds) = ("Only up to zoom 13.", [.mbtiles, .sqlitedb])
        transfer.leftOut = ["1 recorded hike", "notes"]
        #expect(
            transfer.text.string == """
                \(transfer.line.string)
                Not in it: 1 recorded hike and notes (--web-personal adds that for a phone that you have confirmed).
                Only up to zoom 13. For the whole map, send it with --as mbtiles or --as osmand.
                """
        )
        #expect(
            transfer.windowText.string == """
                \(transfer.line.string). Not in it: 1 recorded hike and notes. \
                Only up to zoom 13. For the whole map, choose “MBTiles” or “For OsmAnd”.
                """
        )
        let json = try fields(transfer.rendered(as: .json))
        #expect(json["lack"] == .text("Only up to zoom 13.") && json["leftOut"] != nil)
        transfer.state = .waiting
        #expect(transfer.text == transfer.line)
    }

    /// A command that was to send to the phone ends with a code for each end.
    @Test(
        arguments: zip(
            ends,
            [
                .refused, .refused, .refused, .refused, .refused, .refused, .interrupted, .notFound, .refused,
                .connectionLost, .connectionLost, .badInput, .refused,
            ] as [Status]
        )
    )
    func eachEndHasAnExitCode(end: LocalSendEnd, status: Status) {
        let error = LocalSendError.ended(Self.phone(), end)
        #expect(Status(error) == status)
        #expect(error.words.message == end.reason(Self.phone()))
        #expect(error.words.remedy?.typed.isEmpty == false)
    }

    @Test func aKindThatIsNotThereIsBadInput() throws {
        let error = LocalSendError.noKind(.sqlitedb, try Sample.region(name: "Alt Urgell"))
        #expect(Status(error) == .badInput)
        #expect(error.words.message == "“Alt Urgell” has no file of this kind for phones: osmand.")
        #expect(error.words.remedy?.typed == "Leave out --as, or choose another kind.")
    }

    @Test func phonesThatWereNotFoundAreNamed() {
        let one = LocalSendError.notFound(["Anna"], within: .seconds(5)).words
        #expect(one.message == "Nothing was sent: “Anna” was not found within 5 s.")
        let two = LocalSendError.notFound(["Anna", "Ben"], within: .seconds(5))
        #expect(two.words.message == "Nothing was sent: “Anna” and “Ben” were not found within 5 s.")
        let late = LocalSendError.notFound(["Ben"], within: nil)
        #expect(late.words.message == "Not everything was sent: “Ben” was not found.")
        #expect(Status(two) == .notFound)
    }

    // MARK: For programs

    @Test func aTransferIsALineOfJSON() throws {
        let turn = TransferTurn(place: 2, count: 3)
        let running = try fields(Self.transfer(.running, bytes: 23, turn: turn, secondsLeft: 19.6).rendered(as: .json))
        #expect(running["type"] == .text("phoneTransfer") && running["state"] == .text("running"))
        #expect(running["bytes"] == .number(23) && running["size"] == .number(69_000_000))
        #expect(running["place"] == .number(2) && running["receivers"] == .number(3))
        #expect(running["secondsLeft"] == .number(20) && running["end"] == nil)
        let ended = try fields(Self.transfer(.ended(.cancelledThere)).rendered(as: .json))
        #expect(ended["state"] == .text("ended") && ended["end"] == .text("cancelledThere"))
        #expect(ended["secondsLeft"] == nil && ended["place"] == nil)
    }

    @Test func phonesAreALineOfJSON() {
        let phones = [Self.phone(), PhonesPromptTests.phone(2, "Anna", .changed, isEncrypted: false)]
        let line = PlainReport.phones(phones).rendered(as: .json)
        #expect(line.hasPrefix(#"{"phones":[{"#) && line.hasSuffix("\n"))
        for part in [
            #""known":"new""#, #""known":"changed""#, #""encrypted":true"#, #""encrypted":false"#, #""model":"iPhone""#,
            #""type":"phones""#,
        ] { #expect(line.contains(part), "\(line)") }
    }

    // MARK: Questions and notes

    @Test func thePersonalQuestionSaysWhereItGoes() {
        let content = PersonalContent(hikes: 1, notes: 2)
        let words = "Recorded hikes and notes are left out unless you agree."
        func introduction(_ way: PersonalPageQuestion.Way) -> String? {
            PersonalPageQuestion(content, on: way).introduction?.string
        }
        #expect(introduction(.page) == "The page for phones is not encrypted. \(words)")
        #expect(introduction(.localSend(isEncrypted: true)) == "You decide once for all phones. \(words)")
        let plain = "This phone takes files without encryption: others in this network can read them."
        #expect(introduction(.localSend(isEncrypted: false)) == "\(plain) \(words)")
        #expect(PersonalPageQuestion(content).question.string == "Add them to the page?")
        #expect(
            PersonalPageQuestion(content, on: .localSend(isEncrypted: true)).question == "Send them to phones, too?"
        )
        #expect(PersonalPageQuestion(PersonalContent(), on: .page).introduction == nil)
    }

    /// A claimed name stands in quotation marks in every text.
    @Test func whatAPhoneClaimsIsQuoted() {
        let phone = Self.phone("a”\nAdd it? [y/N] y")
        let title = phone.title.string
        #expect(title == "“a' Add it? [y/N] y” (LocalSend, new)")
        #expect(PhonePINQuestion(phone, isAfterWrong: false).question.string.contains(title))
        #expect(PhonePINQuestion(phone, isAfterWrong: true).question.string.contains(title))
        #expect(PhoneNameQuestion(phone).introduction.string.contains(title))
        let doubt = LocalSendHappening.doubt(name: "a”\nb", isChanged: false).note?.string
        #expect(doubt == "Several phones claim to be “a' b”, so nothing is sent to them.")
    }

    @Test func severalPhonesShareALine() {
        var transfers = RunningTransfers(isReceiver: false)
        transfers.note(Self.transfer(.running, bytes: 34_500_000))
        #expect(transfers.line(width: 79)?.string == "“Fancy Apple”: 50 % of 69.0 MB  Coma Pedrosa.html")
        var other = Self.transfer(.waiting)
        other.number = 4
        transfers.note(other)
        #expect(transfers.line(width: 79)?.string == "2 phones: 50 %, 0 %")
        transfers.note(Self.transfer(.complete))
        #expect(transfers.line(width: 79) == other.line.truncated(to: 79))
        other.state = .ended(.busy)
        transfers.note(other)
        #expect(transfers.line(width: 79) == nil)
    }
}
