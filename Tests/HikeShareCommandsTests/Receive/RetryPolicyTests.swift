import NIOCore
import PeerCore
import Testing

@testable import HikeShareCommands

@Suite(.timeLimit(.minutes(1))) struct RetryPolicyTests {
    private static func attempts(_ code: PeerError.Code, at location: SenderLocation, hasAgreed: Bool) -> Int {
        RetryPolicy.maximumAttempts(after: PeerError(code, "x"), at: location, hasAgreed: hasAgreed, 10)
    }

    @Test func whatWasAgreedOnIsTriedAgain() {
        let address = SenderLocation.address(PeerAddress(host: "10.0.0.1", port: 1))
        for code in [PeerError.Code.connectionLost, .cannotConnect, .timedOut] {
            #expect(Self.attempts(code, at: address, hasAgreed: true) == 10)
        }
        for code in [PeerError.Code.declined, .notTrusted, .peerCancelled, .verificationFailed] {
            #expect(Self.attempts(code, at: address, hasAgreed: true) == 0)
        }
        #expect(RetryPolicy.maximumAttempts(after: CancellationError(), at: address, hasAgreed: true, 10) == 0)
    }

    @Test func whoWasFoundAndDoesNotAnswerIsLookedForAgain() {
        let found = SenderLocation.peer(Sample.discovered("Ana", 1))
        let address = SenderLocation.address(PeerAddress(host: "10.0.0.1", port: 1))
        #expect(Self.attempts(.cannotConnect, at: found, hasAgreed: false) == 2)
        #expect(Self.attempts(.connectionLost, at: found, hasAgreed: false) == 0)
        #expect(Self.attempts(.cannotConnect, at: address, hasAgreed: false) == 0)
    }

    @Test func lookingForASenderEndsInTime() {
        let now = ContinuousClock.now
        let patience = { (hasAgreed: Bool, left: Duration) in
            RetryPolicy.patience(hasAgreed: hasAgreed, until: now + left, at: now)
        }
        #expect(patience(false, .seconds(9)) == .seconds(5))
        #expect(patience(false, .seconds(2)) == .seconds(2))
        #expect(patience(false, .zero) == nil)
        #expect(patience(true, .seconds(-60)) == .seconds(5), "what was agreed on has no such limit")
    }

    @Test func connectingToAFoundSenderEndsInTime() throws {
        let now = ContinuousClock.now
        let found = SenderLocation.peer(Sample.discovered("Ana", 1))
        #expect(found.connectingTime(until: now + .seconds(7), at: now) == .seconds(7))
        #expect(found.connectingTime(until: now - .seconds(7), at: now) == SenderLocation.shortestConnectingTime)
        let address = SenderLocation.address(PeerAddress(host: "10.0.0.1", port: 1))
        #expect(address.connectingTime(until: now, at: now) == nil)
    }

    @Test(.timeLimit(.minutes(1))) func whoIsSeenElsewhereIsTriedThereAtOnce() async throws {
        let before = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        let now = try SocketAddress(ipAddress: "127.0.0.1", port: 2)
        var peer = Sample.discovered("Ana", 1)
        peer.addresses = [before]
        let discovery = InMemoryDiscovery { advertisement in
            [
                PeerSighting(
                    key: "\(advertisement.port)",
                    instanceName: advertisement.instanceName,
                    address: advertisement.port == 1 ? before : now,
                    interfaceName: "lo",
                    info: advertisement.info
                )
            ]
        }
        let advertiser = PeerAdvertiser(backend: discovery)
        // Whoever waited to the end would wait for hours.
        let reconnection = RetryPolicy(browser: PeerBrowser(backend: discovery), patience: .seconds(36_000))
        // What it was announced as before is still remembered.
        let next = try await advertiser.withAdvertisement(instanceName: "Ana", port: 1, info: peer.info) { _ in
            try await advertiser.withAdvertisement(instanceName: "Ana", port: 2, info: peer.info) { _ in
                await reconnection.nextLocation(after: .peer(peer), TransferControl())
            }
        }
        guard case .peer(let found) = next else {
            Issue.record("\(String(describing: next))")
            return
        }
        #expect(found.peerID == peer.peerID)
        #expect(found.addresses.contains(now))
    }

    @Test func whoWasThereAndDoesNotAnswerAnyMoreIsLost() {
        let error = PeerError(.cannotConnect, "The other machine does not answer.", remedy: "Look there.")
        let lost = RetryPolicy.conclusion(error, hasAgreed: true)
        #expect(ExitStatus(lost) == .connectionLost)
        #expect((lost as? PeerError)?.message.hasSuffix("lost. The other machine does not answer.") == true)
        #expect((lost as? PeerError)?.remedy == "Look there.")
        #expect(ExitStatus(RetryPolicy.conclusion(error, hasAgreed: false)) == .notFound)
        #expect(ExitStatus(RetryPolicy.conclusion(PeerError(.declined, "No."), hasAgreed: true)) == .refused)
    }
}
