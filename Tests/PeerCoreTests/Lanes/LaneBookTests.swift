import Testing

@testable import PeerCore

/// Who may join which session.
@Suite struct LaneBookTests {
    private static let peer = PeerID(digest: ContentDigest(hashing: [1]))
    private static let other = PeerID(digest: ContentDigest(hashing: [2]))
    private static let secrets = (0..<2).compactMap { LaneSecret(bytes: [UInt8](repeating: $0, count: 16)) }

    private func book(peer: PeerID? = peer) -> LaneBook {
        var book = LaneBook()
        book.expect(2, for: 7, secret: Self.secrets[0], peer: peer)
        return book
    }

    @Test func asManyJoinAsAreExpected() {
        var book = book()
        #expect((0..<3).map { _ in book.join(Self.secrets[0], by: Self.peer) } == [.lane(of: 7), .lane(of: 7), .late])
        book.expect(1, for: 7, secret: Self.secrets[0], peer: Self.peer)
        #expect((0..<2).map { _ in book.join(Self.secrets[0], by: Self.peer) } == [.lane(of: 7), .late])
    }

    @Test func aWrongSecretJoinsNothing() {
        var book = book()
        let joined = book.join(Self.secrets[1], by: Self.peer)
        #expect(joined == .stranger)
    }

    @Test(arguments: [other, nil]) func anotherPeerJoinsNothing(peer: PeerID?) {
        var book = book()
        let joined = book.join(Self.secrets[0], by: peer)
        #expect(joined == .stranger)
    }

    @Test func anEncryptedConnectionJoinsNoSessionInPlainText() {
        var book = book(peer: nil)
        let encrypted = book.join(Self.secrets[0], by: Self.peer)
        let plain = book.join(Self.secrets[0], by: nil)
        #expect(encrypted == .stranger)
        #expect(plain == .lane(of: 7))
    }

    @Test func aSessionThatWantsNoMoreIsNoStrangerToItsOwn() {
        var book = book()
        book.close(7)
        let late = book.join(Self.secrets[0], by: Self.peer)
        let other = book.join(Self.secrets[0], by: Self.other)
        #expect(late == .late)
        #expect(other == .stranger)
        book.expect(1, for: 7, secret: Self.secrets[0], peer: Self.peer)
        let again = book.join(Self.secrets[0], by: Self.peer)
        #expect(again == .lane(of: 7))
    }

    @Test func aLaneOfAnEarlierRequestIsLateAndTakesNobodysPlace() {
        var book = book()
        book.expect(1, for: 7, secret: Self.secrets[1], peer: Self.peer)
        let joined = [Self.secrets[0], Self.secrets[1], Self.secrets[1]].map { book.join($0, by: Self.peer) }
        #expect(joined == [.late, .lane(of: 7), .late])
        let other = book.join(Self.secrets[0], by: Self.other)
        #expect(other == .stranger)
    }

    @Test func nobodyJoinsASessionThatHasEnded() {
        var book = book()
        book.forget(7)
        let joined = book.join(Self.secrets[0], by: Self.peer)
        #expect(joined == .stranger)
    }
}
