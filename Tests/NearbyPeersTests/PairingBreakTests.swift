import NearbyPeers
import PeerCore
import PeerProtocol
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// Comparisons of digits that a side breaks off.
@Suite(.timeLimit(.minutes(10))) struct PairingBreakTests {
    /// Whoever hangs up has guessed as much as whoever says something wrong.
    @Test(arguments: [true, false]) func aPeerThatBreaksOffThreeTimesIsLocked(saysCancel: Bool) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Settings { $0.admission = .ask }) { anna in
            let invitations = try anna.invitations()
            for wish: UInt64 in 1...3 {
                try await world.attackAfterHello(on: anna) { raw in
                    raw.send(raw.invitation(wish: wish, takesAnyone: false))
                    try await world.until { raw.side.frames.contains { $0.type == .pairingCommitment } }
                    let parties = PairingParties(version: .version1, receiver: raw.local.id, sender: anna.local.id)
                    var pairing = PairingStateMachine(
                        role: .receiver(isRequired: true),
                        parties: parties,
                        nonce: .random()
                    )
                    for case .pairingCommitment(let commitment) in raw.side.frames {
                        guard case .sendNonce(let nonce) = pairing.receivedCommitment(commitment) else { continue }
                        raw.send(.pairingNonce(nonce))
                    }
                    try await world.until { raw.side.frames.contains { $0.type == .pairingReveal } }
                    if saysCancel { raw.send(.cancel(Cancellation(reason: "Never mind."))) }
                    await network.clock.advance(by: .milliseconds(100))
                }
                await network.clock.advance(by: .seconds(6))
            }
            try await world.attackAfterHello(on: anna) { raw in
                raw.send(raw.invitation(wish: 4, takesAnyone: false))
                try await world.until { raw.lastWord != nil }
                #expect(raw.refusal == .locked)
            }
            withExtendedLifetime(invitations) {}
        }
    }

    /// People are not shown new digits for as long as the invitation lasts.
    @Test func threeBreaksEndTheInvitation() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let asked = Locked(0)
        try await world.session("anna", Settings { $0.admission = .ask }) { anna in
            let invitations = try anna.invitations()
            let comparing = Settings {
                $0.compareDigits = { _, _ in
                    asked.withLock { $0 += 1 }
                    await ReadyQueue<Void>().next()
                    return .different
                }
            }
            try await world.session("ben", comparing) { ben in
                let address = try await world.address(of: anna)
                let invitation = Task(executorPreference: network.executor) {
                    try await ben.invite(at: [address], timeout: .seconds(600))
                }
                for count in 1...3 {
                    try await world.until(limit: .seconds(200)) { asked.value == count }
                    network.cut("anna", "ben")
                }
                let error = await #expect(throws: PeerError.self) {
                    try await world.whileTimePasses { try await invitation.value }
                }
                #expect(error == .pairingBroke)
                await network.clock.advance(by: .seconds(60))
                #expect(asked.value == 3)
            }
            withExtendedLifetime(invitations) {}
        }
    }
}
