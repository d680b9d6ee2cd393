import PeerCore
import PeerTestSupport
import SharingTestSupport
import Testing

@testable import RegionSharing

/// A share link that a person types.
@Suite struct ShareLinkQuestionTests {
    private static func link() throws -> ShareLink {
        try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "192.0.2.1", port: 7)],
            id: Sample.peerID(),
            token: .random()
        )
    }

    /// A person who types some lines, one after the other, and then none.
    private static func person(_ lines: [String]) -> TestPerson {
        let left = Locked(lines)
        return TestPerson { _ in left.withLock { $0.isEmpty ? nil : .some($0.removeFirst()) } }
    }

    @Test func isAskedForAgainWithTheReason() async throws {
        let link = try Self.link()
        let person = Self.person(["marmot", " \(link.text) "])
        #expect(try await ShareLinkQuestion(for: .hikeshare).settle(person).text == link.text)
        let asked = person.asked.compactMap { $0 as? ShareLinkQuestion }
        #expect(asked.map { $0.objection == nil } == [true, false])
    }

    @Test func isAskedForFiveTimesAtMost() async throws {
        let person = Self.person(Array(repeating: "marmot", count: 9))
        await #expect(throws: PeerError.self) { try await ShareLinkQuestion(for: .hikeshare).settle(person) }
        #expect(person.asked.count == 5)
    }

    @Test func withoutALinkThereIsNoSender() async {
        await #expect(throws: FindingError.noLink) {
            try await ShareLinkQuestion(for: .hikeshare).settle(TestPerson())
        }
    }

    @Test func anObjectionNeverTellsTheSecret() async throws {
        let text = try Self.link().text
        let person = Self.person([text.dropLast() + "!"])
        await #expect(throws: FindingError.noLink) { try await ShareLinkQuestion(for: .hikeshare).settle(person) }
        let objections = person.asked.compactMap { ($0 as? ShareLinkQuestion)?.objection }
        let objection = try #require(objections.first)
        #expect(!objection.message.contains(text.suffix(20).prefix(8)))
    }
}
