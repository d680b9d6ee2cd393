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
                try await ben.send(ChatLine(text: "Hello"))
                try await network.clock.advance { try await ben.flush() }

                var iterator = lines.makeAsyncIterator()
                #expect(await iterator.next()?.message.text == "Hello")
                advertising.cancel()
            }
        }
    }
}
