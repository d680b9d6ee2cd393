import PeerProtocol
import PeerStorage
import PeerTestSupport
import RegionSharing
import RegionStore
import SharingTestSupport
import Testing

@testable import PhoneSharing

/// The files that phones get, on whatever way.
@Suite(.timeLimit(.minutes(10))) struct PhoneFilesTests {
    private typealias Way = PersonalPageQuestion.Way

    private static let (encrypted, plain) = (Way.localSend(isEncrypted: true), Way.localSend(isEncrypted: false))

    /// A yes counts for ways that are as safe, a no for all.
    @Test(
        arguments: [
            (.page, true, encrypted, true, 1), (.page, true, plain, true, 1), (plain, true, encrypted, true, 1),
            (encrypted, true, plain, true, 2), (encrypted, true, .page, true, 2), (encrypted, false, plain, false, 1),
            (encrypted, false, .page, false, 1), (.page, false, encrypted, false, 1),
        ] as [(PersonalPageQuestion.Way, Bool, PersonalPageQuestion.Way, Bool, Int)]
    )
    func whatIsPersonalIsAskedOnce(
        first: PersonalPageQuestion.Way,
        answer: Bool,
        second: PersonalPageQuestion.Way,
        result: Bool,
        count: Int
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson { $0 is PersonalPageQuestion ? answer : nil }
            let files = try ExamplePage(in: directory, person).files
            #expect(try await files.includesPersonal(on: first, isWished: false) == answer)
            #expect(try await files.includesPersonal(on: first, isWished: false) == answer)
            #expect(try await files.includesPersonal(on: second, isWished: false) == result)
            #expect(person.asked.count == count)
            #expect((person.asked.first as? PersonalPageQuestion)?.way == first)
        }
    }

    @Test func aWishIsAnAnswerAndNobodyToAskIsANo() async throws {
        try await TemporaryDirectory.with { directory in
            let person = TestPerson { $0 is PersonalPageQuestion ? true : nil }
            let files = try ExamplePage(in: directory, person, consent: .everything).files
            #expect(try await !files.includesPersonal(on: Self.encrypted, isWished: false))
            #expect(try await files.includesPersonal(on: Self.encrypted, isWished: true))
            #expect(person.asked.isEmpty)
        }
    }

    /// Two ways get the same file, and only what is needed is made.
    @Test func aFileIsMadeOnceWhenItIsNeeded() async throws {
        try await TemporaryDirectory.with { directory in
            let files = try ExamplePage(in: directory, TestPerson()).files
            let downloads = try #require(try files.downloads(includesPersonal: false).first)
            #expect(try files.downloads(includesPersonal: false).first === downloads)
            #expect(try files.downloads(includesPersonal: true).first !== downloads)
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { await files.run() }
                defer { group.cancelAll() }
                async let first: Void = files.make(.gpx, of: downloads, isHashed: true)
                async let second: Void = files.make(.gpx, of: downloads)
                _ = try await (first, second)
                #expect(downloads.state(of: .html) == .waiting)
                let opened = try downloads.open(.gpx)
                let file = OpenFile(owning: opened.descriptor, path: "gpx", nil)
                let bytes = try file.bytes(Int(opened.size), at: 0)
                #expect(files.digest(.gpx, of: downloads) == ContentDigest(hashing: bytes))
                #expect(files.digest(.mbtiles, of: downloads) == nil)
                try await files.make(.mbtiles, of: downloads, isHashed: true)
                #expect(files.digest(.mbtiles, of: downloads) != nil)
                try await files.makeAll(of: downloads)
                #expect(downloads.kinds.allSatisfy { downloads.state(of: $0) != .waiting })
            }
        }
    }

    /// A person who stops one phone does not stop the file that another one waits for.
    @Test func whoNoLongerWaitsDoesNotEndTheMaking() async throws {
        try await TemporaryDirectory.with { directory in
            let files = try ExamplePage(in: directory, TestPerson()).files
            let downloads = try #require(try files.downloads(includesPersonal: false).first)
            let stopped = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do { try await files.make(.gpx, of: downloads) } catch { return error is CancellationError }
                    return false
                }
                group.cancelAll()
                return await group.next() ?? false
            }
            #expect(stopped)
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { await files.run() }
                defer { group.cancelAll() }
                try await files.make(.gpx, of: downloads)
            }
            #expect(downloads.state(of: .gpx) != .waiting)
        }
    }
}
