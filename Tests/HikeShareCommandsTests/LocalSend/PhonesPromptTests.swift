import Foundation
import PeerTestSupport
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionSharing

/// The list of phones below what `send` shows, and what is typed there.
@Suite(.timeLimit(.minutes(10))) struct PhonesPromptTests {
    static func phone(
        _ number: Int,
        _ name: String,
        _ recognition: LocalSendPhone.Recognition = .new,
        model: String? = nil,
        isEncrypted: Bool = true
    ) -> LocalSendPhone {
        LocalSendPhone(
            number: number,
            name: name,
            recognition: recognition,
            model: model,
            address: "10.0.0.\(number)",
            fingerprint: isEncrypted ? "AB" : nil
        )
    }

    private static let phones = [
        phone(1, "Fancy Apple", model: "iPhone"), phone(3, "Anna's phone", .confirmed), phone(4, "Anna gpx"),
        phone(5, "Stop", isEncrypted: false),
    ]

    private static let kinds: [DownloadKind] = [.html, .sqlitedb, .mbtiles, .gpx, .pdf]

    private static func prompt(
        _ regions: [RegionSummary],
        _ kinds: [DownloadKind] = kinds,
        phones: [LocalSendPhone] = phones
    ) -> PhonesPrompt {
        PhonesPrompt(phones, regions, Dictionary(regions.map { ($0.id, kinds) }) { first, _ in first })
    }

    // MARK: What is typed

    @Test(
        arguments: [
            ("1", .send(phones[0], nil)), (" 3 ", .send(phones[1], nil)), ("fancy  apple", .send(phones[0], nil)),
            ("fancy", .send(phones[0], nil)), ("1 osmand", .send(phones[0], .sqlitedb)),
            ("Fancy Apple PDF", .send(phones[0], .pdf)), ("anna's phone gpx", .send(phones[1], .gpx)),
            ("Anna’s phone", .send(phones[1], nil)),
            ("anna gpx", .send(phones[2], nil)), ("Anna gpx gpx", .send(phones[2], .gpx)),
            ("stop", .send(phones[3], nil)), ("stop 3", .stop(phones[1])), ("stop fancy", .stop(phones[0])),
            ("stop stop", .stop(phones[3])), ("", .nothing), (" \t", .nothing), (nil, .nothing),
            ("anna", .unclear("anna", isAmbiguous: true)), ("2", .unclear("2", isAmbiguous: false)),
            ("ben gpx", .unclear("ben", isAmbiguous: false)), ("stop 9", .unclear("9", isAmbiguous: false)),
            ("1 zip", .unclear("1 zip", isAmbiguous: false)), ("gpx", .unclear("gpx", isAmbiguous: false)),
        ] as [(String?, PhonesAnswerLine)]
    )
    func aNumberOrANamePicks(line: String?, answer: PhonesAnswerLine) {
        #expect(PhonesAnswerLine(line, to: Self.phones) == answer)
    }

    @Test(
        arguments: [
            ("stop 1", .stop(named[0])), ("1 gpx", .send(named[0], .gpx)), ("2", .send(named[1], nil)),
            ("anna gpx", .unclear("anna gpx", isAmbiguous: true)),
            ("stop anna", .unclear("stop anna", isAmbiguous: true)),
        ] as [(String, PhonesAnswerLine)]
    )
    func aPhoneCalledLikeACommandGetsNothingByIt(line: String, answer: PhonesAnswerLine) {
        #expect(PhonesAnswerLine(line, to: Self.named) == answer)
    }

    private static let named = [
        phone(1, "Anna", .confirmed), phone(2, "stop 1"), phone(3, "1 gpx"), phone(4, "Anna gpx"),
        phone(5, "stop Anna"),
    ]

    // MARK: What is shown

    @Test func theListIsShort() throws {
        let prompt = Self.prompt([try Sample.region()])
        #expect(
            prompt.text.string == """
                Phones nearby. To send the map to one, type its number or name.
                  1  “Fancy Apple” (LocalSend, new)          “iPhone”
                  3  “Anna's phone” (LocalSend)
                  4  “Anna gpx” (LocalSend, new)
                  5  “Stop” (LocalSend, new, not encrypted)
                For another file: 1 osmand, mbtiles, gpx or pdf. To stop: stop 1
                Phone:\u{20}
                """
        )
        prompt.change(to: [])
        #expect(prompt.text.isEmpty)
        prompt.change(to: (1...9).map { Self.phone($0, "Phone \($0)") })
        #expect(prompt.text.string.contains("  and 3 more, which you can name"))
        #expect(OutputStyle(width: 80, hasColor: false).lines(of: prompt.text).count <= 11)
    }

    /// What a phone says of itself cannot pass for a line of the program.
    @Test func aNameStaysInItsQuotationMarks() throws {
        let name = "a”\u{1B}[2K\nPhone: \u{202E}" + String(repeating: "x", count: 90)
        let prompt = Self.prompt([try Sample.region()], phones: [Self.phone(1, name, model: name)])
        let lines = OutputStyle(width: 80, hasColor: false).lines(of: prompt.text)
        #expect(lines.allSatisfy { $0.width <= 80 && !$0.string.contains("\u{1B}") })
        #expect(lines.filter { $0.string.hasPrefix("Phone: ") }.count == 1)
    }

    // MARK: Answers

    /// Types lines below the list, and returns the answer and the screen.
    private static func answer(
        to lines: [String],
        _ regions: [RegionSummary],
        _ kinds: [DownloadKind] = kinds
    ) async throws -> (answer: PhonesAnswer?, screen: String) {
        let (terminal, input) = (TerminalModel(columns: 80), try Pipe())
        let console = terminal.console(input: input.reader)
        let question = PhonesQuestion(
            phones,
            later: AsyncStream { $0.finish() },
            regions: regions,
            kinds: Dictionary(regions.map { ($0.id, kinds) }) { first, _ in first }
        )
        for line in lines { input.write(line + "\n") }
        input.closeWriter()
        return (try await question.ask(at: console), terminal.text)
    }

    @Test func whatIsPickedIsAnswered() async throws {
        let region = try Sample.region()
        let usual = try await Self.answer(to: ["7", "", "1"], [region])
        #expect(usual.answer == .send(PhoneChoice(Self.phones[0], region.id, .html)))
        let other = try await Self.answer(to: ["1 osmand"], [region])
        #expect(other.answer == .send(PhoneChoice(Self.phones[0], region.id, .sqlitedb)))
        let stopped = try await Self.answer(to: ["stop 3"], [region])
        #expect(stopped.answer == .stop(Self.phones[1]))
        let nobody = try await Self.answer(to: [], [region])
        #expect(nobody.answer == nil)
    }

    @Test func aKindThatTheRegionDoesNotHaveIsSaidAtOnce() async throws {
        let region = try Sample.region()
        let (answer, screen) = try await Self.answer(to: ["1 pdf", "1"], [region], [.mbtiles, .gpx])
        #expect(answer == .send(PhoneChoice(Self.phones[0], region.id, .mbtiles)))
        #expect(!screen.contains("has no file for this: pdf"))
        let prompt = Self.prompt([region], [.mbtiles])
        #expect(!prompt.text.string.contains("For another file"))
    }

    @Test func ofSeveralRegionsOneIsPicked() async throws {
        var lake = try Sample.region()
        (lake.id, lake.name) = (UUID(), "Lake")
        let regions = [try Sample.region(), lake]
        for line in ["2", "lake", "la"] {
            let (answer, _) = try await Self.answer(to: ["3 gpx", line], regions)
            #expect(answer == .send(PhoneChoice(Self.phones[1], lake.id, .gpx)))
        }
        // Another answer begins anew.
        let (again, _) = try await Self.answer(to: ["3", "9", "1", "1"], regions)
        #expect(again == .send(PhoneChoice(Self.phones[0], regions[0].id, .html)))
    }
}
