import Foundation
import LocalSend
import MapPages
import PeerProtocol
import PeerTestSupport
import RegionTestSupport
import SharingTestSupport
import Testing
import TrackFiles
import WebServer

@testable import PhoneSharing
@testable import RegionSharing
@testable import RegionStore

/// What a phone can send by LocalSend, and what becomes of it.
@Suite(.timeLimit(.minutes(10))) struct LocalSendTakerTests {
    private typealias File = TestPhone.File

    private static let tracks = File("p.gpx", TakingBench.gpx())
    private static let photo = Array([0xFF, 0xD8, 0xFF, 0xE0]) + Array("a photo".utf8)

    private static func person(_ answer: Bool?) -> TestPerson {
        TestPerson { $0 is PhoneFilesQuestion ? answer : true }
    }

    @Test(arguments: [true, false, nil] as [Bool?]) func filesComeAfterAYesOnly(answer: Bool?) async throws {
        try await TakingBench.with(Self.person(answer)) { bench in
            let statuses = try await bench.phone().send([Self.tracks])
            #expect(statuses == (answer == true ? [200, 200] : [403]))
            try await bench.settle()
            #expect(try bench.labels.contains("From a phone") == (answer == true))
            let question = try #require(bench.asked(PhoneFilesQuestion.self).first)
            #expect(question.files.map(\.name) == ["p.gpx"] && question.phone.name == "Anna")
            #expect(question.files.map(\.size) == [UInt64(Self.tracks.content.count)])
            // What is in the file is asked about as with the page for phones.
            let matters = bench.asked(PhoneFileQuestion.self)
            #expect(matters.count == (answer == true ? 1 : 0))
            if let first = matters.first {
                guard case .tracks(let document, _) = first.matter else {
                    Issue.record("\(first.matter)")
                    return
                }
                #expect(document.waypoints.count == 1 && first.file.phone == question.phone)
            }
        }
    }

    @Test func aNoToWhatIsInAFileAddsNothing() async throws {
        let person = TestPerson { question in
            if question is PhoneFileQuestion { return false }
            return true
        }
        try await TakingBench.with(person) { bench in
            #expect(try await bench.phone().send([Self.tracks]) == [200, 200])
            try await bench.settle()
            #expect(try !bench.labels.contains("From a phone"))
            #expect(bench.told.isEmpty)
        }
    }

    @Test func withNobodyToAskNothingIsTaken() async throws {
        try await TakingBench.with(asks: false) { bench in
            let statuses = try await bench.phone().send([Self.tracks])
            #expect(statuses == [403] && bench.person.asked.isEmpty)
        }
    }

    @Test func afterTwoNoesADeviceIsNotHeard() async throws {
        try await TakingBench.with(Self.person(false)) { bench in
            let phone = try bench.phone()
            for _ in 1...2 { #expect(try await phone.send([Self.tracks]) == [403]) }
            #expect(try await phone.send([Self.tracks]) == [429])
            #expect(try await phone.prepare(text: "hello").status == 429)
            #expect(bench.person.asked.count == 2)
        }
    }

    /// A new certificate is made in a moment.
    @Test func afterTwoNoesAnotherCertificateIsNotHeardFromThere() async throws {
        try await TakingBench.with(Self.person(false), isSecure: true) { bench in
            for expected in [403, 403, 429] {
                let phone = try bench.phone(identity: try TestPhone.identity())
                #expect(try await phone.send([Self.tracks]) == [expected])
            }
        }
    }

    @Test func theCertificateOfADeviceIsKnown() async throws {
        try await TakingBench.with(isSecure: true) { bench in
            let identity = try TestPhone.identity()
            #expect(try await bench.phone(identity: identity).send([Self.tracks]) == [200, 200])
            try await bench.settle()
            let shown = LocalSendFingerprint(certificate: identity.certificateBytes).text
            #expect(bench.asked(PhoneFilesQuestion.self).first?.phone.fingerprint == shown)
            #expect(try bench.labels.contains("From a phone"))
        }
    }

    /// Who shows a certificate says whose it is.
    @Test func aDeviceThatClaimsAnotherFingerprintIsNotHeard() async throws {
        try await TakingBench.with(isSecure: true) { bench in
            let phone = try bench.phone(identity: try TestPhone.identity())
            let other = try bench.phone(identity: try TestPhone.identity())
            #expect(try await phone.prepare(json: other.offer([Self.tracks]).json).status == 403)
            #expect(bench.person.asked.isEmpty)
        }
    }

    @Test func aTokenIsGoodForItsFileItsSessionAndItsDevice() async throws {
        try await TakingBench.with(isSecure: true) { bench in
            let phone = try bench.phone(identity: try TestPhone.identity())
            let agreement = try await phone.agree(on: [Self.tracks, File("q.gpx", Self.tracks.content)])
            let token = try agreement.tokens[Self.tracks.id].required()
            func status(_ session: String, _ file: String, _ token: String, of phone: TestPhone) async throws -> Int {
                try await phone.post(.upload(session: session, file: file, token: token), Self.tracks.content).status
            }
            let other = try #require(agreement.tokens.first { $0.key != Self.tracks.id })
            #expect(try await status(agreement.session, Self.tracks.id, "0", of: phone) == 403)
            #expect(try await status("0", Self.tracks.id, token, of: phone) == 403)
            #expect(try await status(agreement.session, other.key, token, of: phone) == 403)
            let stranger = try bench.phone(identity: try TestPhone.identity())
            #expect(try await status(agreement.session, Self.tracks.id, token, of: stranger) == 403)
            #expect(try await status(agreement.session, Self.tracks.id, token, of: phone) == 200)
        }
    }

    // MARK: Where it goes

    /// A phone knows nothing of regions.
    @Test func tracksGoToTheMapsOnWhichTheyLie() async throws {
        try await TakingBench.with(regionCount: 2) { bench in
            let gpx = TakingBench.gpx(["Here": 1.1, "There": 1.97, "Home": 20])
            try await bench.phone().send([File("p.gpx", gpx)])
            try await bench.settle()
            guard case .tracks(_, let expected)? = bench.asked(PhoneFileQuestion.self).first?.matter else {
                Issue.record("\(bench.person.asked)")
                return
            }
            #expect(expected.elsewhere.count == 1 && expected.outside == ["Home"])
            let labels = try bench.store.regions().sorted { $0.name < $1.name }.map { region in
                try bench.store.waypoints(of: region.id).map(\.label).sorted()
            }
            #expect(labels == [["Here", "Hut"], ["There"]])
        }
    }

    /// A phone sends a map and the tracks on it together, in any order.
    @Test func tracksGoToTheMapThatComesWithThem() async throws {
        try await TakingBench.with { bench in
            let path = bench.store.path + "-new.mbtiles"
            try ExamplePage.map([9], column: 2_070).write(to: path)
            let map = Array(try Data(contentsOf: URL(filePath: path)))
            let tracks = File("p.gpx", TakingBench.gpx(["There": 1.97]))
            try await bench.phone().send([tracks, File("new.mbtiles", map)])
            try await bench.settle()
            #expect(bench.told.isEmpty, "\(bench.told)")
            let labels = try bench.store.regions().flatMap { try bench.store.waypoints(of: $0.id).map(\.label) }
            #expect(Set(labels) == ["Hut", "There"])
        }
    }

    /// A phone sends waypoints and their photos together, in any order.
    @Test func photosGoToWaypointsThatComeWithThem() async throws {
        try await TakingBench.with { bench in
            let lake = File("l.gpx", TakingBench.gpx(["Lake": 1.1]))
            let photos = ["Lake.jpg", "IMG_1.jpg"].map { File($0, Self.photo) }
            try await bench.phone().send([photos[0], lake, photos[1], Self.tracks])
            try await bench.settle()
            let shown = try bench.store.waypoints(of: bench.region.id).filter(\.hasPhoto).map(\.label)
            #expect(shown == ["Lake"])
            #expect(bench.asked(PhoneListQuestion.self).map(\.photos) == [0])
            guard case .leftOut(let files, _)? = bench.told.first else {
                Issue.record("\(bench.told)")
                return
            }
            #expect(files.map(\.file.name) == ["IMG_1.jpg"] && bench.told.count == 1)
        }
    }

    @Test func tracksOutsideAllMapsAreNotAskedAbout() async throws {
        try await TakingBench.with { bench in
            try await bench.phone().send([File("p.gpx", TakingBench.gpx(["Home": 20]))])
            try await bench.settle()
            #expect(bench.person.asked.count == 1)
            guard case .leftOut(let files, _)? = bench.told.first else {
                Issue.record("\(bench.told)")
                return
            }
            #expect(
                files.first?.reason
                    == "p.gpx is outside all your maps. Send the map of that area, and then this file again.",
                "\(files)"
            )
        }
    }

    // MARK: Lies

    @Test(arguments: [-1, 1]) func aFileOfAnotherSizeIsNotKept(difference: Int) async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let size = UInt64(Self.tracks.content.count + difference)
            let file = File("p.gpx", Self.tracks.content, size: size)
            let agreement = try await phone.agree(on: [file])
            #expect(try await (400...499).contains(phone.upload(file, agreement)))
            _ = try await phone.cancel(agreement.session)
            try await bench.settle()
            #expect(try !bench.labels.contains("From a phone"))
            #expect(bench.asked(PhoneFileQuestion.self).isEmpty)
        }
    }

    /// A phone may send a damaged file again.
    @Test func aFileWithAnotherDigestIsSentAgain() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let file = File("p.gpx", Self.tracks.content, digest: ContentDigest(hashing: Self.tracks.content))
            let agreement = try await phone.agree(on: [file])
            var damaged = file.content
            damaged[0] ^= 1
            #expect(try await phone.upload(file, agreement, content: damaged) == 422)
            #expect(try await phone.upload(file, agreement) == 200)
            try await bench.settle()
            #expect(try bench.labels.contains("From a phone"))
        }
    }

    @Test func aFileThatIsAlwaysDamagedEndsItsList() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let file = File("p.gpx", Self.tracks.content, digest: ContentDigest(hashing: [1]))
            let agreement = try await phone.agree(on: [file])
            for _ in 1...LocalSendLimits.attempts { #expect(try await phone.upload(file, agreement) == 422) }
            #expect(try await phone.upload(file, agreement) == 403)
            try await bench.settle()
            #expect(try !bench.labels.contains("From a phone"))
        }
    }

    /// What the disk has no room for is not even asked about.
    @Test func aFileThatIsTooLargeForTheDiskIsRefused() async throws {
        try await TakingBench.with { bench in
            let huge = File("alps.mbtiles", [], size: 1 << 52)
            let statuses = try await bench.phone().send([huge])
            #expect(statuses == [507] && bench.person.asked.isEmpty)
            guard case .leftOut(let files, _)? = bench.told.first else {
                Issue.record("\(bench.told)")
                return
            }
            #expect(files.map(\.reason) == ["The disk has too little space."])
        }
    }

    @Test func anEmptyFileComesAndCannotBeUsed() async throws {
        try await TakingBench.with { bench in
            #expect(try await bench.phone().send([File("e.gpx", [])]) == [200, 200])
            try await bench.settle()
            guard case .leftOut(let files, _)? = bench.told.first else {
                Issue.record("\(bench.told)")
                return
            }
            #expect(files.count == 1 && files[0].reason.contains("is empty"), "\(files)")
        }
    }

    /// A name is shown, and is never that of a file here.
    @Test(arguments: [
        "../../escape.gpx", "/tmp/escape.gpx", "C:\\escape.gpx", "..", ".", "a\nb.gpx", "<script>.gpx",
        "a\u{202E}xpg.gpx",
        "escape.gpx\u{0}", "-rf", "~", "con", "naïve ☃.gpx",
    ]) func aNameIsShownOnly(name: String) async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            // As a hostile program writes it.
            let escaped = try String(decoding: JSONEncoder().encode(name), as: UTF8.self)
            let json = """
                {"info":{"alias":"Eve","version":"2.1","fingerprint":"a1b2c3","port":1,"protocol":"http"},
                "files":{"f":{"id":"f","fileName":\(escaped),"size":\(Self.tracks.content.count),"fileType":"x/y"}}}
                """
            let answer = try await phone.prepare(json: Array(json.utf8))
            guard answer.status == 200 else {
                #expect(answer.status == 400 && bench.person.asked.isEmpty)
                return
            }
            let agreement = try LocalSendAgreement(json: answer.content)
            let file = File(name, Self.tracks.content, id: "f")
            #expect(try await phone.upload(file, agreement) == 200)
            try await bench.settle()
            let shown = try #require(bench.asked(PhoneFilesQuestion.self).first?.files.first?.name)
            #expect(!shown.contains("/") && !shown.contains("\n") && !shown.contains("\u{0}"), "\(shown)")
            #expect(try bench.labels.contains("From a phone"))
            let work = bench.store.path
            let paths = FileManager.default.enumerator(atPath: work)?.compactMap { $0 as? String } ?? []
            #expect(!paths.contains { $0.contains("escape") }, "\(paths)")
            #expect(!FileManager.default.fileExists(atPath: "/tmp/escape.gpx"))
        }
    }

    // MARK: Many files, many phones

    /// Nobody answers hundreds of questions.
    @Test func hundredsOfPhotosAreAskedAboutOnce() async throws {
        try await TakingBench.with { bench in
            let hut = File("Hut.jpg", Self.photo)
            let others = (1...299).map { File("IMG_\($0).jpg", Self.photo + Array("\($0)".utf8), id: "\($0)") }
            let statuses = try await bench.phone().send(others + [hut, Self.tracks])
            #expect(statuses.allSatisfy { $0 == 200 } && statuses.count == 302)
            try await bench.settle()
            let questions = bench.asked(PhoneListQuestion.self)
            #expect(questions.count == 1 && bench.person.asked.count == 2)
            let question = try #require(questions.first)
            #expect(question.photos == 1 && question.trackFiles == 1 && question.waypoints == 1)
            #expect(question.regions.map(\.id) == [bench.region.id] && !question.isReplacing)
            #expect(try bench.store.waypoints(of: bench.region.id).contains { $0.label == "Hut" && $0.hasPhoto })
            #expect(try bench.labels.contains("From a phone"))
            guard bench.told.count == 1, case .leftOut(let files, _)? = bench.told.first else {
                Issue.record("\(bench.told.count)")
                return
            }
            #expect(files.count == 299)
        }
    }

    /// A photo takes the place of another one after a question of its own; of two for one waypoint, the first counts.
    @Test(arguments: [true, false]) func photosThatReplaceOthersAreAskedAboutApart(answer: Bool) async throws {
        let person = TestPerson { question in (question as? PhoneListQuestion)?.isReplacing == true ? answer : true }
        try await TakingBench.with(person) { bench in
            let phone = try bench.phone()
            try await phone.send([File("Hut.jpg", Self.photo)])
            try await bench.settle()
            let before = try bench.store.photos(of: bench.region.id)
            try await phone.send([
                File("Hut.jpg", Self.photo + [1]), File("hut.jpg", Self.photo + [2]), Self.tracks,
            ])
            try await bench.settle()
            let questions = bench.asked(PhoneListQuestion.self)
            #expect(questions.map(\.isReplacing) == [false, true])
            #expect(questions.map(\.photos) == [0, 1])
            #expect(try (bench.store.photos(of: bench.region.id) != before) == answer)
            #expect(try bench.labels.contains("From a phone"))
            guard case .leftOut(let files, _)? = bench.told.last else {
                Issue.record("\(bench.told)")
                return
            }
            #expect(files.map(\.file.name) == ["hut.jpg"])
        }
    }

    @Test func photosThatAreThereAlreadyAreNotAskedAbout() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let hut = File("Hut.jpg", Self.photo)
            for files in [[hut], [hut], [hut, File("e.gpx", TakingBench.gpx(["A": 1.1])), Self.tracks]] {
                try await phone.send(files)
                try await bench.settle()
            }
            let matters = bench.asked(PhoneFileQuestion.self)
            #expect(matters.count == 1, "\(matters)")
            let question = try #require(bench.asked(PhoneListQuestion.self).first)
            #expect(question.photos == 0 && question.trackFiles == 2)
            let known = bench.person.told.count {
                if case .importing(.photo(let photo)) = $0 { !photo.isNew } else { false }
            }
            #expect(known == 2)
        }
    }

    @Test func twoDevicesSendAtOnce() async throws {
        try await TakingBench.with(isSecure: true) { bench in
            let phones = try (1...2).map { try bench.phone("Phone \($0)", identity: try TestPhone.identity()) }
            var agreements: [LocalSendAgreement] = []
            for phone in phones { agreements.append(try await phone.agree(on: [Self.tracks, File("x.gpx", [])])) }
            let agreed = agreements
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for (phone, agreement) in zip(phones, agreed) {
                    group.addTask { try await phone.upload(Self.tracks, agreement) }
                    group.addTask { try await phone.upload(File("x.gpx", []), agreement) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [200, 200, 200, 200])
            try await bench.settle()
            let names = Set(bench.asked(PhoneFileQuestion.self).compactMap { $0.file.phone?.name })
            #expect(names == ["Phone 1", "Phone 2"])
        }
    }

    /// A list that a person has not decided on is the last one of its device.
    @Test func aDeviceHasOneListWithoutADecision() async throws {
        let person = PatientPerson { $0 is PhoneFileQuestion }
        try await TakingBench.with(asked: person) { bench in
            let phone = try bench.phone()
            #expect(try await phone.send([Self.tracks]) == [200, 200])
            try await bench.wait { person.isAsking }
            #expect(try await phone.send([Self.tracks]) == [409])
            person.answer(true)
            try await bench.settle()
            #expect(try await phone.prepare([Self.tracks]).status == 200)
        }
    }
}
