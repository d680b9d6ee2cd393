import NIOCore
import Testing

@testable import PeerCore

/// Who may join which transfer.
@Suite struct ExpectedLanesTests {
    private static let peer = PeerID(digest: ContentDigest(hashing: [1]))
    private static let other = PeerID(digest: ContentDigest(hashing: [2]))
    private static let secrets = (0..<2).compactMap { ConnectionSecret(bytes: [UInt8](repeating: $0, count: 16)) }

    private let here: AddressKey
    private let elsewhere: AddressKey
    private let now = ContinuousClock.now

    init() throws {
        here = AddressKey(try SocketAddress(ipAddress: "192.0.2.1", port: 1))
        elsewhere = AddressKey(try SocketAddress(ipAddress: "192.0.2.2", port: 1))
    }

    private func lanes(peer: PeerID? = peer) -> ExpectedLanes {
        var lanes = ExpectedLanes()
        lanes.expect(2, for: 7, secret: Self.secrets[0], peer: peer, from: here)
        return lanes
    }

    @Test func asManyJoinAsAreExpected() {
        var lanes = lanes()
        #expect((0..<3).map { _ in lanes.join(Self.secrets[0], by: Self.peer) } == [.lane(of: 7), .lane(of: 7), .late])
        lanes.expect(1, for: 7, secret: Self.secrets[0], peer: Self.peer, from: here)
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
        lanes.expect(1, for: 7, secret: Self.secrets[0], peer: Self.peer, from: here)
        let again = lanes.join(Self.secrets[0], by: Self.peer)
        #expect(again == .lane(of: 7))
    }

    @Test func aLaneOfAnEarlierRequestIsLateAndTakesNobodysPlace() {
        var lanes = lanes()
        lanes.expect(1, for: 7, secret: Self.secrets[1], peer: Self.peer, from: here)
        let joined = [Self.secrets[0], Self.secrets[1], Self.secrets[1]].map { lanes.join($0, by: Self.peer) }
        #expect(joined == [.late, .lane(of: 7), .late])
        let other = lanes.join(Self.secrets[0], by: Self.other)
        #expect(other == .stranger)
    }

    @Test func nobodyJoinsATransferThatHasEnded() {
        var lanes = lanes()
        lanes.ended(7, at: now)
        let own = lanes.join(Self.secrets[0], by: Self.peer)
        let other = lanes.join(Self.secrets[0], by: Self.other)
        #expect(own == .late)
        #expect(other == .stranger)
    }

    @Test func aTransferThatHasEndedIsForgottenAfterSomeTime() {
        var lanes = lanes()
        lanes.ended(7, at: now)
        lanes.ended(8, at: now + ExpectedLanes.memory)
        let late = lanes.join(Self.secrets[0], by: Self.peer)
        #expect(late == .stranger)
    }

    @Test func onlySomeThatHaveEndedAreKnown() {
        var lanes = lanes()
        for transfer in 0...ExpectedLanes.maximumEndedCount {
            let secret = ConnectionSecret(bytes: [UInt8](repeating: UInt8(transfer + 2), count: 16))
            guard let secret else { continue }
            lanes.expect(1, for: transfer + 10, secret: secret, peer: Self.peer, from: elsewhere)
            lanes.ended(transfer + 10, at: now + .milliseconds(transfer))
        }
        let count = (0..<100).count { _ in lanes.lost(from: elsewhere, at: now + .seconds(1)) }
        #expect(count == ExpectedLanes.maximumEndedCount)
        let lane = lanes.join(Self.secrets[0], by: Self.peer)
        #expect(lane == .lane(of: 7))
    }

    // MARK: Lanes that end before they have said whose they are

    @Test func eachLaneIsLostOnce() {
        var lanes = lanes()
        let losses = [elsewhere, here, here, here].map { lanes.lost(from: $0, at: now) }
        #expect(losses == [false, true, true, false])
    }

    @Test func aLaneThatHasJoinedIsNotLost() {
        var lanes = lanes()
        _ = lanes.join(Self.secrets[0], by: Self.peer)
        let losses = [here, here].map { lanes.lost(from: $0, at: now) }
        #expect(losses == [true, false])
    }

    @Test func aConnectionWithoutAnAddressMayBeAnyOfThem() {
        var lanes = lanes()
        let losses = [nil, .unknown, .unknown, .unknown].map { lanes.lost(from: $0, at: now) }
        #expect(losses == [false, true, true, false])
    }

    @Test func aLaneCanBeLostAfterTheEndOfItsTransfer() {
        var lanes = lanes()
        lanes.ended(7, at: now)
        let losses = [Duration.zero, ExpectedLanes.memory].map { lanes.lost(from: here, at: now + $0) }
        #expect(losses == [true, false])
    }
}
