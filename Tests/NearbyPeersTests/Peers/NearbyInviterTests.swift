import NIOCore
import PeerProtocol
import Testing

@testable import NearbyPeers
@testable import PeerCore

/// Which of the peers that discovery sees are invited, and when.
@Suite struct NearbyInviterTests {
    private static let start = ContinuousClock.now

    private func time(_ seconds: Double) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    private func peer(_ name: String, port: Int = 4711) throws -> NearbyPeer {
        let info = DiscoveryInfo(displayName: name, software: "test 1", encryption: .required, custom: [:])
        let address = try SocketAddress(ipAddress: "192.0.2.1", port: port)
        return NearbyPeer(
            DiscoveredPeer(id: name, instanceName: name, info: info, addresses: [address], interfaceNames: [])
        )
    }

    private func due(_ inviter: NearbyInviter, _ seconds: Double, friends: Set<String> = []) -> [String] {
        inviter.due(at: time(seconds)) { !friends.contains($0.id) }.map(\.id)
    }

    @Test func newPeersComeAtOnceAndOthersAfterAPause() throws {
        var inviter = NearbyInviter()
        inviter.found([try peer("ben"), try peer("cara")])
        #expect(due(inviter, 0) == ["ben", "cara"])
        #expect(inviter.consider("ben", at: time(0))?.isNew == true)
        #expect(due(inviter, 4.9) == ["cara"])
        #expect(due(inviter, 5) == ["cara", "ben"])
        #expect(inviter.consider("ben", at: time(5))?.isNew == false)
    }

    @Test func friendsComeFirst() throws {
        var inviter = NearbyInviter()
        inviter.found([try peer("ben"), try peer("cara"), try peer("dan")])
        #expect(due(inviter, 0, friends: ["dan"]) == ["dan", "ben", "cara"])
    }

    @Test func whoAppearsAnewOrAtAnotherPortIsNew() throws {
        var inviter = NearbyInviter()
        inviter.found([try peer("ben")])
        _ = inviter.consider("ben", at: time(0))
        inviter.found([try peer("ben")])
        #expect(due(inviter, 1).isEmpty)
        inviter.found([try peer("ben", port: 4712)])
        #expect(due(inviter, 1) == ["ben"])
        _ = inviter.consider("ben", at: time(1))
        inviter.found([])
        #expect(inviter.consider("ben", at: time(2)) == nil)
        inviter.found([try peer("ben", port: 4712)])
        #expect(inviter.consider("ben", at: time(2))?.isNew == true)
    }

    @Test func fewAreInvitedAtATime() throws {
        var inviter = NearbyInviter()
        inviter.found(try (0..<10).map { try peer("no \($0)") })
        for id in due(inviter, 0) where inviter.consider(id, at: time(0)) != nil { inviter.began() }
        #expect(inviter.runningCount == NearbyInviter.maximumCount && due(inviter, 0).count == 2)
        inviter.ended("no 0", isBusy: false, at: time(0))
        #expect(inviter.consider("no 9", at: time(0))?.isNew == true)
    }

    /// Nobody was asked at a peer that is busy, so it is invited again, less and less often.
    @Test func whoWasBusyIsInvitedAgainAfterLongerAndLongerPauses() throws {
        var inviter = NearbyInviter()
        inviter.found([try peer("ben")])
        var now = 0.0
        for pause in [5.0, 10, 20, 40, 80, 80] {
            #expect(inviter.consider("ben", at: time(now)) != nil)
            inviter.began()
            // The answer takes ten seconds: nobody has read the invitation.
            now += 10
            inviter.ended("ben", isBusy: true, at: time(now))
            #expect(due(inviter, now + pause - 0.1).isEmpty)
            now += pause
            #expect(due(inviter, now) == ["ben"])
        }
        // A program that was restarted is asked at once.
        _ = inviter.consider("ben", at: time(now))
        inviter.ended("ben", isBusy: true, at: time(now))
        inviter.found([try peer("ben", port: 4712)])
        #expect(due(inviter, now) == ["ben"])
        // Another answer ends the pauses.
        _ = inviter.consider("ben", at: time(now))
        inviter.ended("ben", isBusy: false, at: time(now))
        #expect(due(inviter, now + 5) == ["ben"])
    }
}
