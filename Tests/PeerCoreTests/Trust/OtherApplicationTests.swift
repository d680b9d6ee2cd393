import NIOCore
import PeerCore
import Testing

/// Peers of two applications on this library refuse each other, and say why.
@Suite(.timeLimit(.minutes(10))) struct OtherApplicationTests {
    @Test func theHelloOfAnotherApplicationIsRefused() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.lingerTimeout = .milliseconds(100)
        let source = try TransferTests.source(sizes: [10])
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                await peer.send(Preface.hikeshare.bytes)
                try await peer.send(.hello(RawPeer.hello(application: "hikeshadow")))
                let failure = await peer.lastFailure()
                #expect(failure?.code == "otherApplication")
                #expect(failure?.message.contains("hikeshadow") == true)
            }
            let error = peerError(await finished.next()?.result)
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.contains("different applications") == true)
        }
    }

    @Test(arguments: ["hikeshadow", "notes"]) func theyDoNotAgreeOnEncryption(application: String) async throws {
        var pair = try Pair()
        pair.receivingApplication = try #require(PeerServiceType(application))
        let source = try TransferTests.source(sizes: [10])
        let sink = MemorySink()
        let outcome = try await pair.transfer(source, into: sink)
        let (received, sent) = (peerError(outcome.received), peerError(outcome.sent?.result))
        #expect(received?.code == .protocolViolation)
        #expect(received?.message.contains("does not speak \(application)'s protocol") == true)
        // The sender may see the receiver close before its own handshake is complete.
        #expect(sent != nil)
        #expect(sink.snapshot.committed == nil)
    }
}
