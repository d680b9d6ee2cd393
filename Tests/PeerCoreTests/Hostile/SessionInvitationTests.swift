import Foundation
import PeerCore
import Testing

/// What a program that offers transfers only does with frames of sessions.
@Suite(.timeLimit(.minutes(10))) struct SessionInvitationTests {
    private func hello(_ identity: PeerIdentity) -> Hello {
        var hello = RawPeer.hello(identity.id, encryption: .required)
        hello.features.append(Hello.sessionsFeature)
        hello.incarnation = .random()
        return hello
    }

    @Test func anInvitationToASessionIsDeclinedAndNobodyIsAsked() async throws {
        let pair = try Pair()
        let identity = pair.receiverIdentity
        try await pair.serving(
            TransferTests.source(sizes: [10]),
            invite: { _ in
                Issue.record("a person is asked")
                return .accept
            },
            { address, finished in
                try await RawPeer.connected(to: address, security: .encrypted(identity)) { peer in
                    try await peer.greet(hello(identity))
                    let session = SessionInvitation(
                        members: 1,
                        connectionCount: 0,
                        wish: 1,
                        takesAnyone: true
                    )
                    try await peer.send(.invite(InvitationRequest(timeout: 300, session: session)))
                    #expect(
                        try await peer.nextFrame()
                            == .decline(Refusal(.other, "This program offers transfers only."))
                    )
                    #expect(try await peer.nextFrame() == nil)
                }
                #expect(peerError(await finished.next()?.result)?.code == .declined)
            }
        )
    }

    @Test func aRequestForALinkEndsTheConnection() async throws {
        let pair = try Pair()
        let identity = pair.receiverIdentity
        try await pair.serving(TransferTests.source(sizes: [10])) { address, finished in
            try await RawPeer.connected(to: address, security: .encrypted(identity)) { peer in
                try await peer.greet(hello(identity))
                try await peer.send(
                    .link(
                        LinkTerms(
                            epoch: 1,
                            connectionCount: 0,
                            received: 0,
                            window: 65_536,
                            maximumMessageLength: 1024
                        )
                    )
                )
                #expect(await peer.lastFailure()?.code == "unexpectedFrame")
            }
            #expect(peerError(await finished.next()?.result)?.code == .protocolViolation)
        }
    }
}
