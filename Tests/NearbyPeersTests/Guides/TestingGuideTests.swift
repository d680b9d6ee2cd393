import NearbyPeers
import PeerTesting
import Testing

/// The examples of the guide "Testing an application".
@Suite(.timeLimit(.minutes(10))) struct TestingGuideTests {
    @Test func aLineArrivesAlthoughTheCableWasOut() async throws {
        let network = InMemoryNetwork()
        let application = try PeerServiceType(validating: "chat-app")
        @Sendable func configuration(_ name: String) throws -> PeerSession.Configuration {
            let local = try network.local(name, application: application)
            var configuration = PeerSession.Configuration(local: local, messages: [ChatLine.self])
            configuration.admission = .everyone
            configuration.invites = .everyoneFound
            return configuration
        }
        try await withPeerSession(try configuration("anna"), environment: network.machine("anna")) { anna in
            try await withPeerSession(try configuration("ben"), environment: network.machine("ben")) { ben in
                let lines = try anna.messages(of: ChatLine.self)
                let advertising = Task { try await anna.advertise() }
                try await network.clock.advance(until: { ben.connectedPeers == [anna.local.id] })

                network.cut("anna", "ben", silently: true)
                try await ben.send(ChatLine(text: "Hello"), to: anna.local.id)
                try await network.clock.advance { try await ben.flush(to: anna.local.id) }

                var iterator = lines.makeAsyncIterator()
                #expect(await iterator.next()?.message.text == "Hello")
                advertising.cancel()
            }
        }
    }

    @Test func anImpostorIsRefused() async throws {
        let network = InMemoryNetwork()
        let application = try PeerServiceType(validating: "chat-app")
        let known = KnownPeers()
        await known.pin(try network.local("anna", application: application).id, name: "Anna")
        let impostor = try network.local("mallory", displayName: "Anna", application: application)
        let ben = try network.local("ben", application: application)
        var configuration = PeerSession.Configuration(local: ben, messages: [ChatLine.self])
        configuration.admission = .trusted(comparing: nil)
        configuration.trust = known
        try await withPeerSession(configuration, environment: network.machine("ben")) { ben in
            let events = ben.events()
            let other = PeerSession.Configuration(local: impostor, messages: [ChatLine.self])
            try await withPeerSession(other, environment: network.machine("mallory")) { mallory in
                let advertising = Task { try await ben.advertise() }
                let found = try await Chat.first(mallory.browse())
                let failure = await #expect(throws: PeerError.self) { try await mallory.invite(found) }
                #expect(failure?.code == .notTrusted)
                let isReported = await events.contains { event in
                    if case .refused(let peer, _) = event { peer.id == impostor.id } else { false }
                }
                #expect(isReported && ben.connectedPeers.isEmpty)
                advertising.cancel()
            }
        }
    }
}
