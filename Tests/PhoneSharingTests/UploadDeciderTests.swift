import FoundationEssentials
import MapPages
import PeerTestSupport
import RegionTestSupport
import Sentences
import SharingTestSupport
import Testing
import TrackFiles

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What becomes of the files that phones send.
@Suite(.timeLimit(.minutes(10))) struct UploadDeciderTests {
    private typealias Upload = ExamplePage.Upload

    private static let tracks = Upload(content: Array(ExamplePage.gpx("From a phone").utf8), name: "p.gpx")
    private static let sent = PhoneFile(client: "10.42.0.7", name: "p.gpx", size: UInt64(tracks.content.count))

    /// A person who answers each question about a file so; nil for no answer in time.
    private static func person(_ answer: Bool?) -> TestPerson { TestPerson { $0 is PhoneFileQuestion ? answer : nil } }

    private static func questions(_ person: TestPerson) -> [PhoneFileQuestion] {
        person.asked.compactMap { $0 as? PhoneFileQuestion }
    }

    private static func told(_ person: TestPerson) -> [PhoneHappening] {
        person.told.compactMap { if case .phones(let happening) = $0 { happening } else { nil } }
    }

    @Test(arguments: [true, false, nil] as [Bool?]) func tracksAreAddedAfterAYesOnly(answer: Bool?) async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(answer)
            let example = try ExamplePage(in: directory, person)
            let state = try await example.states(of: [Self.tracks]).first
            switch answer {
            case true: #expect(state == .added("The laptop has it now."))
            case false: #expect(state == .refused("The person at the laptop said no."))
            default: if case .unanswered = state {} else { Issue.record("\(String(describing: state))") }
            }
            let labels = try example.store.waypoints(of: example.regions[0].id).map(\.label)
            #expect(labels.contains("From a phone") == (answer == true), "\(labels)")
            let question = try #require(Self.questions(person).first)
            #expect(question.file == Self.sent && question.patience == PhoneFileQuestion.longPatience)
            guard case .tracks(let document, let expected) = question.matter else {
                Issue.record("\(question.matter)")
                return
            }
            #expect(document.waypoints.count == 1 && expected.waypoints.added == 1)
            let isTold = person.told.contains { if case .importing(.tracks) = $0 { true } else { false } }
            #expect(isTold == (answer == true))
            let unanswered = Self.told(person).contains { if case .unanswered(Self.sent) = $0 { true } else { false } }
            #expect(unanswered == (answer == nil))
        }
    }

    /// The default answer of a question changes nothing.
    @Test func nothingIsAddedByAFaceThatKnowsNoQuestion() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExamplePage(in: directory, TestPerson())
            guard case .unanswered = try await example.states(of: [Self.tracks]).first else {
                Issue.record("it was decided on")
                return
            }
        }
    }

    @Test(arguments: [true, false, nil] as [Bool?]) func aLargeFileComesAfterAYesOnly(answer: Bool?) async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(answer)
            let example = try ExamplePage(in: directory, person)
            let large = Upload(content: [], name: "alps.mbtiles", size: 20_000_000)
            let state = try await example.states(of: [large]).first
            switch answer {
            case true: #expect(state == .receiving)
            case false: #expect(state == .refused("The person at the laptop said no."))
            default: if case .unanswered = state {} else { Issue.record("\(String(describing: state))") }
            }
            let question = try #require(Self.questions(person).first)
            guard case .comes = question.matter else {
                Issue.record("\(question.matter)")
                return
            }
            #expect(question.patience == .seconds(60) && question.file.size == 20_000_000)
        }
    }

    /// A person whose questions end so.
    private struct Failing: Person {
        let error: any Error
        let told = Locked<[Happening]>([])

        func tell(_ happening: Happening) { told.withLock { $0.append(happening) } }

        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { throw error }
    }

    /// What goes wrong here is told here, and the phone learns nothing of it.
    @Test func aFailureOfTheLaptopIsToldThereOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let person = Failing(error: RegionStoreError(.storage, "The disk is full."))
            let example = try ExamplePage(in: directory, TestPerson())
            let states = try await example.states(of: [Self.tracks], decidedBy: person)
            #expect(states == [.failed("The laptop could not add the file. Its screen says why.")])
            guard person.told.value.count == 1, case .phones(.failed(Self.sent, let error))? = person.told.value.first
            else {
                Issue.record("\(person.told.value)")
                return
            }
            #expect((error as? RegionStoreError)?.code == .storage)
        }
    }

    @Test func aQuestionThatIsWithdrawnAddsNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let person = Failing(error: CancellationError())
            let example = try ExamplePage(in: directory, TestPerson())
            let states = try await example.states(of: [Self.tracks], decidedBy: person)
            #expect(states == [.unanswered("The laptop takes no more files.")])
            let labels = try example.store.waypoints(of: example.regions[0].id).map(\.label)
            #expect(!labels.contains("From a phone"))
        }
    }

    @Test(arguments: [true, false]) func aRoutingDatabaseGoesToItsMapAfterAYes(answer: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(answer)
            let example = try ExamplePage(in: directory, person)
            let id = try example.store.importMap(at: OfferMaker.map).region.id
            let content = Array(try Data(contentsOf: URL(filePath: OfferMaker.routing)))
            let routing = Upload(content: content, name: "r.db")
            let states = try await example.states(of: answer ? [routing, routing] : [routing])
            #expect(
                states.first
                    == (answer ? .added("The laptop has it now.") : .refused("The person at the laptop said no."))
            )
            let told = person.told.compactMap { happening -> Bool? in
                if case .importing(.routing(let routing)) = happening { routing.isNew } else { nil }
            }
            #expect(told == (answer ? [true, false] : []))
            guard person.asked.count == 1, case .routing(let region)? = Self.questions(person).first?.matter else {
                Issue.record("\(person.asked)")
                return
            }
            #expect(region.id == id && !region.hasRoutingData)
            #expect(try example.store.region(id).hasRoutingData == answer)
        }
    }

    /// The phone is told why, without the path of its file here; the person at the laptop is told of the first two only.
    @Test func whatIsNoFileOfOursIsNotAskedAbout() async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(true)
            let example = try ExamplePage(in: directory, person)
            let guide = Upload(content: Array("%PDF-1.7 x".utf8), name: "guide.pdf")
            for state in try await example.states(of: [guide, guide, guide]) {
                guard case .unusable(let words) = state else {
                    Issue.record("\(state)")
                    continue
                }
                #expect(words.english.contains("guide.pdf is not a map") && words.english.contains("Choose a map"))
                #expect(!words.english.contains(directory.path("")), "\(words)")
            }
            #expect(person.asked.isEmpty)
            #expect(Self.told(person).count { if case .unusable = $0 { true } else { false } } == 2)
        }
    }

    @Test func aMapIsAddedAfterAYesAndAskedAboutOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(true)
            let example = try ExamplePage(in: directory, person)
            try ExamplePage.map([9], column: 2_200).write(to: directory.path("alps.mbtiles"))
            let content = Array(try Data(contentsOf: URL(filePath: directory.path("alps.mbtiles"))))
            let map = Upload(content: content, name: "alps.mbtiles")
            let states = try await example.states(of: [map, map])
            guard case .added(let words) = states.first else {
                Issue.record("\(states)")
                return
            }
            #expect(words.english.hasPrefix("The laptop has the map now: "), "\(words)")
            #expect(states.last == .added("The laptop has this map already."))
            // Both are said on this machine, too.
            let told = person.told.compactMap { happening -> Bool? in
                if case .importing(.map(let map)) = happening { map.stored.isNew } else { nil }
            }
            #expect(told == [true, false])
            #expect(try example.store.regions().count == 2)
            #expect(Self.questions(person).count == 1)
            guard case .map? = Self.questions(person).first?.matter else {
                Issue.record("\(person.asked)")
                return
            }
            // The examination has ended in both cases.
            let ends = Self.told(person).count { if case .examining(_, nil) = $0 { true } else { false } }
            #expect(ends == 2)
        }
    }

    /// Whether a map of a phone takes the place of another one is asked with both, and nothing else decides it.
    @Test(arguments: ["replace", "add", "leave", nil] as [String?])
    func aMapOfTheSameAreaIsAskedAboutAsSuch(answer: String?) async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson { question in
                guard let question = question as? PhoneMapQuestion else { return nil }
                return switch answer {
                case "replace": MapReplacement.Decision.replace(question.replacement.local)
                case "add": MapReplacement.Decision.add(name: "Other")
                case "leave": MapReplacement.Decision.leaveOut
                default: nil
                }
            }
            let example = try ExamplePage(in: directory, person)
            try ExamplePage.map([9]).write(to: directory.path("new.mbtiles"))
            let content = Array(try Data(contentsOf: URL(filePath: directory.path("new.mbtiles"))))
            let state = try await example.states(of: [Upload(content: content, name: "new.mbtiles")]).first
            let regions = try example.store.regions()
            let isReplaced = try example.store.region(example.regions[0].id).mapDigest != example.regions[0].mapDigest
            #expect(isReplaced == (answer == "replace"))
            #expect(regions.contains { $0.name == "Other" } == (answer == "add"))
            #expect(regions.count == (answer == "add" ? 2 : 1))
            switch answer {
            case "leave": #expect(state == .refused("The person at the laptop said no."))
            case nil: if case .unanswered = state {} else { Issue.record("\(String(describing: state))") }
            default: if case .added = state {} else { Issue.record("\(String(describing: state))") }
            }
            let question = try #require(person.asked.first as? PhoneMapQuestion)
            #expect(person.asked.count == 1 && question.replacement.local.id == example.regions[0].id)
            #expect(question.file.name == "new.mbtiles" && !question.replacement.isWished)
            #expect(question.patience == PhoneFileQuestion.longPatience)
        }
    }

    /// A file of some hundred bytes that stands for fifty million tiles.
    @Test func whatTakesLongIsExaminedAfterAYesOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(false)
            let example = try ExamplePage(in: directory, person)
            var archive = PMTilesBytes(.init(id: 22_369_621, run: 49_999_999, length: 8))
            archive.zoomLevels = (13, 13)
            let state = try await example.states(of: [Upload(content: archive.bytes, name: "huge.pmtiles")]).first
            #expect(state == .refused("The person at the laptop said no."))
            #expect(person.asked.count == 1)
            guard case .examination(let cost)? = Self.questions(person).first?.matter else {
                Issue.record("\(person.asked)")
                return
            }
            #expect(cost.tileCount == 49_999_999)
            #expect(Self.told(person).isEmpty)
        }
    }

    @Test func aMapOfAnotherProgramIsAddedAfterAYes() async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(true)
            let example = try ExamplePage(in: directory, person)
            let map = Upload(content: ForeignBytes.osmand(), name: "Andorra.obf")
            let states = try await example.states(of: [map])
            guard case .added = states.first, case .foreignMap(.osmand)? = Self.questions(person).first?.matter else {
                Issue.record("\(states) \(person.asked)")
                return
            }
            #expect(try example.store.regions().contains { $0.foreign?.fileName == "Andorra.obf" })
        }
    }

    @Test func aPhotoGoesToItsWaypointAndToNoOther() async throws {
        try await TemporaryDirectory.with { directory in
            let person = Self.person(true)
            let example = try ExamplePage(in: directory, person)
            let photo = Array([0xFF, 0xD8, 0xFF, 0xE0]) + Array("a photo".utf8)
            let states = try await example.states(of: [
                Upload(content: photo, name: "Hut.jpg"), Upload(content: photo, name: "IMG_1.jpg"),
            ])
            #expect(states.first == .added("The laptop has it now: the photo of “Hut”."))
            guard case .unusable(let words) = states.last else {
                Issue.record("\(states)")
                return
            }
            #expect(words.english.hasPrefix("This photo has no position"), "\(words)")
            let questions = Self.questions(person)
            guard questions.count == 1, case .photo(let waypoint, let region) = questions[0].matter else {
                Issue.record("\(questions)")
                return
            }
            #expect(waypoint.label == "Hut" && !waypoint.hasPhoto && region.id == example.regions[0].id)
            #expect(try example.store.waypoints(of: region.id).contains { $0.label == "Hut" && $0.hasPhoto })
        }
    }
}
