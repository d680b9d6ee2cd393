import Foundation
import PeerTestSupport
import Sentences
import SharingReports
import SharingTestSupport
import Testing
import TrackFiles

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What the person at the laptop reads of the files of phones.
@Suite(.timeLimit(.minutes(10))) struct PhoneWordsTests {
    /// Its name is made to pass for words of the program.
    private static let file = PhoneFile(client: "10.42.0.7", name: "a.gpx\u{1B}[2K\nAdd it?", size: 2_000_000)
    private static let quoted = DisplayText(quoting: file.name).string
    private static let title = "\(quoted), 2.0 MB"

    private static func waypoint(_ label: String, hasPhoto: Bool = false) throws -> Waypoint {
        Waypoint(
            id: UUID(),
            coordinate: try Sample.place(),
            elevation: nil,
            time: Sample.date,
            label: label,
            note: "",
            category: .shelter,
            hasPhoto: hasPhoto
        )
    }

    private static func words(_ matter: PhoneFileQuestion.Matter) -> [String] {
        let question = PhoneFileQuestion(file, matter)
        return [question.introduction.string, question.question.string]
    }

    @Test func whatAQuestionIsAboutIsSaid() throws {
        let sent = "A phone (10.42.0.7) has sent"
        #expect(
            Self.words(.comes) == [
                "A phone (10.42.0.7) wants to send \(Self.title).",
                "Take it? What is in it is shown before it is added.",
            ]
        )
        let long = ImportCost(tileCount: 49_999_999, contentSize: 8, fileSize: 262)
        #expect(
            Self.words(.examination(long)) == [
                "\(sent) \(Self.title). \(long.words.string)", "Examine it? You are asked again before it is added.",
            ]
        )
        let short = ImportCost(tileCount: 1, contentSize: 8, fileSize: 262)
        #expect(Self.words(.examination(short))[0].contains("It takes longer to examine than files of its size do."))
        #expect(
            Self.words(.map(name: "Alp", area: try Sample.box())) == [
                "\(sent) a map, \(Self.title): “Alp”, \(Wording.extent(try Sample.box())).", "Add it to your maps?",
            ]
        )
        #expect(
            Self.words(.foreignMap(.osmand)) == ["\(sent) a map for OsmAnd, \(Self.title).", "Add it to your maps?"]
        )
    }

    @Test func whatIsReplacedIsSaid() throws {
        let (region, bare) = (try Sample.region(), try Sample.region(routingSize: nil))
        #expect(Self.words(.routing(region))[1] == "“Coma Pedrosa” has a routing database. Replace it?")
        #expect(Self.words(.routing(bare))[1] == "Add it to “Coma Pedrosa”?")
        let (hut, shown) = (try Self.waypoint("Hut"), try Self.waypoint("Hut", hasPhoto: true))
        #expect(
            Self.words(.photo(hut, region)) == [
                "A phone (10.42.0.7) has sent a photo of “Hut” in “Coma Pedrosa”, \(Self.title).",
                "Add it as the photo of “Hut”?",
            ]
        )
        #expect(Self.words(.photo(shown, region))[1] == "“Hut” has a photo. Replace it?")
    }

    @Test func whatIsInAFileOfTracksIsSaid() throws {
        var imported = GPXImport(
            region: try Sample.region(),
            hikes: MergeCounts(),
            plannedRoutes: MergeCounts(),
            waypoints: MergeCounts()
        )
        var document = TrackDocument(waypoints: try (1...6).map { try Self.waypoint("Hut \($0)") })
        #expect(
            Self.words(.tracks(document, imported)) == [
                "A phone (10.42.0.7) has sent 6 waypoints: “Hut 1”, “Hut 2”, “Hut 3”, “Hut 4”, “Hut 5” …",
                "Add this to “Coma Pedrosa”?",
            ]
        )
        imported.waypoints.updated = 1
        document.damage = .endsEarly
        document.waypoints = try [Self.waypoint("Home")]
        document.waypoints[0].coordinate = try #require(Coordinate(latitude: -33.9, longitude: 151.2))
        let words = Self.words(.tracks(document, imported))
        #expect(words[0].contains("1 waypoint: “Home”\nThe file ends early"), "\(words)")
        #expect(words[0].hasSuffix("\nMost of it is outside the area of “Coma Pedrosa”."), "\(words)")
        #expect(words[1] == "Add this to “Coma Pedrosa”, and change 1 item that it has?")
    }

    private static func replacement(_ directory: TemporaryDirectory) throws -> PhoneMapQuestion {
        var local = try Sample.region(name: "Alp")
        local.edition = MapEdition(date: Sample.date)
        let map = ImportedMapFacts(
            name: "Alp",
            edition: MapEdition(date: Sample.date + 86_400),
            digest: Sample.digest(99),
            zooms: local.zooms
        )
        let store = try RegionStore(path: directory.path("store"))
        let replacement = try MapReplacement(file.name, map, of: local, ownID: nil, in: store)
        return PhoneMapQuestion(file, name: "Alp", area: try Sample.box(), replacement)
    }

    /// The name of the file is quoted once, and stands nowhere without quotes.
    @Test func aNameOfAFileIsNoSentenceOfTheProgram() async throws {
        try await TemporaryDirectory.with { directory in
            let words = try Self.replacement(directory).introduction.string
            #expect(words.hasPrefix("A phone (10.42.0.7) has sent a map, \(Self.title): “Alp”, "), "\(words)")
            #expect(words.contains("\nThe file may be a newer version of “Alp”."), "\(words)")
            #expect(words.components(separatedBy: "Add it?").count == 2 && !words.contains("\u{1B}"), "\(words)")
        }
    }

    /// Answers questions at a terminal; returns the answers, and what was said.
    private static func ask<Asked: TerminalQuestion>(_ question: Asked, _ input: String) async throws -> Asked.Answer {
        let terminal = try Pipe()
        terminal.write(input)
        terminal.closeWriter()
        let screen = Screen(canAsk: true, isLive: false, output: { _, _ in })
        let console = Console(format: .text, screen: screen, input: terminal.reader)
        return try await TerminalPerson(console).ask(question)
    }

    @Test func anythingButAYesAddsNothing() async throws {
        let question = PhoneFileQuestion(Self.file, .comes)
        #expect(try await Self.ask(question, "y\n") == true)
        for input in ["n\n", "\n", "maybe\n", ""] { #expect(try await Self.ask(question, input) == false) }
        let personal = PersonalPageQuestion(PersonalContent())
        #expect(try await Self.ask(personal, "y\n"))
        for input in ["n\n", "\n", ""] { #expect(try await !Self.ask(personal, input)) }
    }

    @Test func anAnswerToAMapIsANoAYesOrAName() async throws {
        try await TemporaryDirectory.with { directory in
            let question = try Self.replacement(directory)
            guard case .replace(let local)? = try await Self.ask(question, "y\n"),
                case .add("Other")? = try await Self.ask(question, "Other\n"),
                case .leaveOut? = try await Self.ask(question, "\n"),
                case .leaveOut? = try await Self.ask(question, "")
            else {
                Issue.record("an answer is understood in another way")
                return
            }
            #expect(local.name == "Alp")
        }
    }

    /// A question that nobody answers in time has no answer.
    @Test func aQuestionThatExpiresHasNoAnswer() async throws {
        let terminal = try Pipe()
        let screen = Screen(canAsk: true, isLive: false, output: { _, _ in })
        let console = Console(format: .text, screen: screen, input: terminal.reader)
        var question = PhoneFileQuestion(Self.file, .comes)
        question.patience = .zero
        #expect(try await TerminalPerson(console).ask(question) == nil)
    }

    @Test func whatBecomesOfAFileIsSaid() {
        let shown = Locked("")
        let screen = Screen(canAsk: false, isLive: false, output: { text, _ in shown.withLock { $0 += text } })
        let person = TerminalPerson(Console(format: .text, screen: screen))
        let quoted = Self.quoted
        person.tell(.phones(.unusable(Self.file)))
        person.tell(.phones(.unanswered(Self.file)))
        person.tell(.phones(.failed(Self.file, RegionStoreError(.storage, "The disk is full."))))
        let words = shown.value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words == """
                A phone (10.42.0.7) has sent a file that cannot be added, \(quoted), and was told why. \
                There was no answer, so \(quoted) from 10.42.0.7 was not added. \
                \(quoted) from 10.42.0.7 could not be added: hikeshare: warning: The disk is full.
                """
        )
    }

    @Test func aPortThatIsInUseIsSaid() {
        let error = PhoneError.port(8080, reason: "Address already in use")
        #expect(error.words.message == "The page for phones cannot be shown on port 8080: Address already in use.")
        #expect(error.words.remedy?.typed == "Choose another port with --web-port, or 0 for any free one.")
        #expect(ExitStatus(error) == .failure)
    }

    /// Nobody is asked about a page on which nothing concerns a person.
    @Test func whatIsAskedAboutHasWords() {
        #expect(PersonalContent().pageIntroduction == nil && !PersonalContent().needsYesForPage)
        for content in [
            PersonalContent(hikes: 1), PersonalContent(comments: 1), PersonalContent(notes: 1),
            PersonalContent(links: 1), PersonalContent(pointTexts: 1), PersonalContent(photos: 1),
        ] {
            #expect(content.needsYesForPage && content.pageIntroduction != nil, "\(content)")
        }
    }
}
