import FoundationEssentials
import PeerCore
import PeerTestSupport
import SharingTestSupport
import Testing
import WebServer

@testable import MapPages
@testable import PhoneSharing
@testable import RegionSharing
@testable import RegionStore

/// What is on the page for phones, and where it is.
@Suite(.timeLimit(.minutes(10))) struct PhonePageTests {
    /// A Wi-Fi network of this machine's own with an address.
    private static func network(_ hosts: Set<String>) -> OwnHotspot {
        let credentials = ShareLinkNetwork.random()
        return OwnHotspot(name: "hut", credentials: credentials, interface: "wlan7", hosts: { hosts }, waitForEnd: {})
    }

    private static func shown(_ person: TestPerson) -> PhonePageFacts? {
        for case .phones(.shown(let facts)) in person.told { return facts }
        return nil
    }

    @Test(arguments: [true, false]) func theProgramIsOfferedInTheOwnNetworkOnly(isOwnNetwork: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExamplePage(in: directory, TestPerson())
            let path = directory.path("hikeshare_1_amd64.deb")
            try Data([1, 2, 3]).write(to: URL(filePath: path))
            var page = example.page
            page.program = ShareSite.Program(path: path, name: "hikeshare_1_amd64.deb")
            try await page.prepare(in: isOwnNetwork ? Self.network(["fe80::1", "10.42.0.1"]) : nil)
            let site = try #require(page.pages().first)
            let file = try #require(WebPath(site.path + "files/hikeshare_1_amd64.deb"))
            let answer = site.respond(to: WebRequest(file))
            #expect(answer.status == (isOwnNetwork ? .ok : .notFound))
            #expect(answer.file?.size == (isOwnNetwork ? 3 : nil))
            let list = site.respond(to: WebRequest(try #require(WebPath(site.path + "share.json"))))
            #expect(String(decoding: list.body, as: UTF8.self).contains("amd64.deb") == isOwnNetwork)
        }
    }

    /// Phones need IPv4.
    @Test func aNetworkThatPhonesCannotUseHasNoPage() async throws {
        try await TemporaryDirectory.with { directory in
            var page = try ExamplePage(in: directory, TestPerson()).page
            await #expect(throws: NetworkError.noIPv4(name: "hut")) {
                try await page.prepare(in: Self.network(["fe80::1"]))
            }
        }
    }

    /// What concerns a person is on the page after a wish or a yes only, and nobody is asked who does not decide.
    @Test(
        arguments: [
            (.person, true, false, true), (.person, false, false, false), (.person, nil, false, false),
            (.knownMachines, true, false, false), (.everything, true, false, false), (.person, nil, true, true),
        ] as [(Consent, Bool?, Bool, Bool)]
    )
    func personalPartsNeedAYes(consent: Consent, answer: Bool?, isWished: Bool, isThere: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson { $0 is PersonalPageQuestion ? answer : nil }
            var page = try ExamplePage(in: directory, person, consent: consent).page
            (page.includesPersonal, page.port) = (isWished, 0)
            try await page.prepare(in: nil)
            #expect(person.asked.count == (consent.asks && !isWished ? 1 : 0))
            #expect(page.pages().allSatisfy { $0.downloads.includesPersonal == isThere })
            try await page.serve {}
            let facts = try #require(Self.shown(person))
            #expect(facts.hasPersonal == isThere && (facts.leftOut == nil) == isThere)
            #expect(facts.leftOut?.needsYesForPage != false && !facts.isOwnNetwork)
        }
    }

    /// The page is told as soon as it can be opened, and another one cannot have its port.
    @Test func itIsServedWhileTheSenderListens() async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson()
            var page = try ExamplePage(in: directory, person, count: 2).page
            page.port = 0
            try await page.prepare(in: Self.network(["127.0.0.1"]))
            let other = page
            try await page.serve { [page] in
                let facts = try #require(Self.shown(person))
                #expect(facts.isOwnNetwork && facts.address.host == "127.0.0.1" && facts.address.port > 0)
                var second = other
                second.port = facts.address.port
                let port = facts.address.port
                await #expect { try await second.serve {} } throws: { error in
                    guard case .port(port, _)? = error as? PhoneError else { return false }
                    return true
                }
                #expect(page.turns === other.turns)
            }
        }
    }

    @Test func theErrorOfTheSenderEndsIt() async throws {
        struct Ended: Error {}
        try await TemporaryDirectory.with { directory in
            var page = try ExamplePage(in: directory, TestPerson()).page
            page.port = 0
            try await page.prepare(in: nil)
            await #expect(throws: Ended.self) { try await page.serve { throw Ended() } }
        }
    }

    @Test(arguments: [true, false]) func filesAreTakenIfSomebodyCanDecide(takesFiles: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            var page = try ExamplePage(in: directory, TestPerson(), count: 2).page
            page.takesFiles = takesFiles
            try await page.prepare(in: nil)
            #expect(page.pages().count == 2)
            #expect(page.pages().allSatisfy { ($0.uploads != nil) == takesFiles })
        }
    }

    /// Each page counts its files from 1, and a person hears of different numbers.
    @Test func theFilesOfSeveralPagesHaveDifferentNumbers() async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson()
            var page = try ExamplePage(in: directory, person, count: 2).page
            page.takesFiles = true
            try await page.prepare(in: nil)
            for (index, page) in page.pages().enumerated() {
                let (queue, id) = (try #require(page.uploads), try #require(UploadQueue.ID("0123456789abcdef")))
                let makeFile = page.downloads.uploadedFile
                _ = try queue.announce(id, from: "a", called: "\(index)", size: 2, space: .max, in: makeFile)
                queue.allow(1)
                let piece = try page.contentFile()
                try piece.write([7])
                _ = try queue.add(piece, to: id, at: 0)
            }
            var told: [PhoneUpload] = []
            for case .phones(.upload(let upload)) in person.told { told.append(upload) }
            #expect(told.map(\.number) == [1, 2] && told.map(\.file.name) == ["0", "1"])
            #expect(told.allSatisfy { $0.length == 1 && $0.fraction == 0.5 })
        }
    }

    @Test func aDownloadIsToldUntilItsEnd() {
        let person = TestPerson()
        let downloads = ToldDownloads(person)
        let file = ShareSite.Download(number: 1, client: "10.42.0.7", name: "a.mbtiles", size: 1_000_000)
        downloads.note(.sent(500_000), of: file)
        downloads.note(.ended(isComplete: false), of: file)
        // The rest, as an answer of its own.
        downloads.note(.sent(1_000_000), of: file)
        downloads.note(.ended(isComplete: true), of: file)
        var told: [PhoneDownload] = []
        for case .phones(.download(let download)) in person.told { told.append(download) }
        #expect(told.map(\.state) == [.running, .interrupted, .running, .complete])
        #expect(told.map(\.fraction) == [0.5, 0.5, 1, 1])
    }
}
