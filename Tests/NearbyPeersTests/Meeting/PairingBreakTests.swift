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
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            for wish: UInt64 in 1...3 {
                try await world.attackAfterHello(on: anna) { raw in
                    try await raw.getDigits(wish: wish, world)
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

    /// It keeps the connection on which it has seen digits that do not suit it, and invites on another one.
    ///
    /// It is the same if the program pretends to have restarted.
    @Test(arguments: [false, true]) func aPeerThatInvitesAgainAndAgainIsLocked(restarts: Bool) async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            try await invite(on: anna, times: 3, restarts: restarts, world)
            withExtendedLifetime(invitations) {}
        }
    }

    private func invite(
        on anna: PeerSession,
        times: Int,
        restarts: Bool,
        as first: RawSession? = nil,
        _ world: World
    ) async throws {
        let incarnation = restarts ? .random() : first?.incarnation ?? .random()
        try await world.attackAfterHello(on: anna, with: first?.local, incarnation: incarnation) { raw in
            guard times > 0 else {
                raw.send(raw.invitation(takesAnyone: false))
                try await world.until { raw.lastWord != nil }
                return #expect(raw.refusal == .locked)
            }
            try await raw.getDigits(world)
            await world.network?.clock.advance(by: .seconds(1))
            try await invite(on: anna, times: times - 1, restarts: restarts, as: first ?? raw, world)
        }
    }

    /// Otherwise a crowd could lock out whoever compares digits in peace.
    @Test func aPeerThatMakesRoomIsNotLocked() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let settings = Settings {
            $0.admission = .ask(comparing: nil)
            $0.connections.maximumInvitations = 1
        }
        try await world.session("anna", settings) { anna in
            let invitations = try anna.invitations()
            for number in 1...3 {
                try await world.attackAfterHello(on: anna) { raw in
                    try await raw.getDigits(world)
                    try await world.attackAfterHello(on: anna, as: "trudy \(number)") { other in
                        try await other.getDigits(world)
                        try await world.until { raw.lastWord != nil }
                        #expect(raw.refusal == .busy)
                    }
                }
                await network.clock.advance(by: .seconds(6))
            }
            try await world.attackAfterHello(on: anna) { raw in try await raw.getDigits(world) }
            withExtendedLifetime(invitations) {}
        }
    }

    /// The person has accepted; what the peer says after its answer makes it no trusted one.
    @Test func aConfirmationAfterTheLinkIsOutOfTurn() async throws {
        let world = World(.memory)
        let trust = MemoryTrustStore()
        let settings = Settings {
            $0.admission = .ask(comparing: nil)
            $0.trust = trust
        }
        try await world.session("anna", settings) { anna in
            let invitations = try anna.invitations()
            try await world.attackAfterHello(on: anna) { raw in
                try await raw.getDigits(world)
                var iterator = invitations.makeAsyncIterator()
                let invitation = try #require(await iterator.next())
                let answer = Task { try await invitation.accept(.same) }
                try await world.until { raw.side.frames.contains(.accept) }
                raw.send(raw.terms(), .pairingConfirmation)
                try await world.until { raw.lastWord != nil }
                #expect(raw.failure == "unexpectedFrame")
                _ = await answer.result
                #expect(await trust.trust(of: raw.local.id, callingItself: "mallory") == .unknown)
            }
        }
    }

    /// People are not shown new digits for as long as the invitation lasts.
    @Test func threeBreaksEndTheInvitation() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let asked = Locked(0)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            let invitations = try anna.invitations()
            let comparing = Settings {
                $0.admission = .ask { _, _ in
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

extension RawSession {
    /// Invites, and goes on until it knows the digits.
    fileprivate func getDigits(wish: UInt64 = 1, _ world: World) async throws {
        send(invitation(wish: wish, takesAnyone: false))
        try await world.until { side.frames.contains { $0.type == .pairingCommitment } }
        let parties = PairingDigits.Parties(version: .version1, receiver: local.id, sender: target)
        var pairing = PairingStateMachine(role: .receiver(isRequired: true), parties: parties, nonce: .random())
        for case .pairingCommitment(let commitment) in side.frames {
            guard case .sendNonce(let nonce) = pairing.receivedCommitment(commitment) else { continue }
            send(.pairingNonce(nonce))
        }
        try await world.until { side.frames.contains { $0.type == .pairingReveal } }
    }
}
