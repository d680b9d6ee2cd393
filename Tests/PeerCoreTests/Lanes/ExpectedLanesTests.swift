import Testing

@testable import PeerCore

/// Who may join which transfer.
@Suite struct ExpectedLanesTests {
    private static let peer = PeerID(digest: ContentDigest(hashing: [1]))
    private static let other = PeerID(digest: ContentDigest(hashing: [2]))
    private static let secrets = (0..<2).compactMap { ConnectionSecret(bytes: [UInt8](repeating: $0, count: 16)) }

    private func lanes(peer: PeerID? = peer) -> ExpectedLanes {
        var lanes = ExpectedLanes()
        lanes.expect(2, for: 7, secret: Self.secrets[0], peer: peer)
        return lanes
    }

    @Test func asManyJoinAsAreExpected() {
        var lanes = lanes()
        #expect((0..<3).map { _ in lanes.join(Self.secrets[0], by: Self.peer) } == [.lane(of: 7), .lane(of: 7), .late])
        lanes.expect(1, for: 7, secret: Self.secrets[0], peer: Self.peer)
        #expect((0..<2).map { _ in lanes.join(Self.secrets[0], by: Self.peer) } == [.lane(of: 7), .late])
    }

    @Test func aWrongSecretJoinsNothing() {
        var lanes = lanes()
        let joined = lanes.join(Self.secrets[1], by: Self.peer)
        #expect(joined == .stranger)
    }

    @Test(arguments: [other, nil]) func anotherPeerJoinsNothing(peer: PeerID?) {
        var lanes = lanes()
        let joined = lanes.join(Self.secrets[0], by: peer)
        #expect(joined == .stranger)
    }

    @Test func anEncryptedConnectionJoinsNoTransferInPlainText() {
        var lanes = lanes(peer: nil)
        let encrypted = lanes.join(Self.secrets[0], by: Self.peer)
        let plain = lanes.join(Self.secrets[0], by: nil)
        #expect(encrypted == .stranger)
        #expect(plain == .lane(of: 7))
    }

    @Test func aTransferThatWantsNoMoreIsNoStrangerToItsOwn() {
        var lanes = lanes()
        lanes.close(7)
        let late = lanes.join(Self.secrets[0], by: Self.peer)
        let other = lanes.join(Self.secrets[0], by: Self.other)
        #expect(late == .late)
        #expect(other == .stranger)
        lanes.expect(1, for: 7, secret: Self.secrets[0], peer: Self.peer)
        let again = lanes.join(Self.secrets[0], by: Self.peer)
        #expect(again == .lane(of: 7))
    }

    @Test func aLaneOfAnEarlierRequestIsLateAndTakesNobodysPlace() {
        var lanes = lanes()
        lanes.expect(1, for: 7, secret: Self.secrets[1], peer: Self.peer)
        let joined = [Self.secrets[0], Self.secrets[1], Self.secrets[1]].map { lanes.join($0, by: Self.peer) }
        #expect(joined == [.late, .lane(of: 7), .late])
        let other = lanes.join(Self.secrets[0], by: Self.other)
        #expect(other == .stranger)
    }

    @Test func nobodyJoinsATransferThatHasEnded() {
        var lanes = lanes()
        lanes.forget(7)
        let joined = lanes.join(Self.secrets[0], by: Self.peer)
        #expect(joined == .stranger)
    }
}
