import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Receivers that claim an identity that they cannot prove.
@Suite(.timeLimit(.minutes(10))) struct FalseIdentityTests {
    @Test func anIdentityThatTheCertificateDoesNotProveIsRefused() async throws {
        let source = try TransferTests.source(sizes: [10])
        let thief = try PeerIdentity.generate(for: .hikeshare)
        try await Pair().serving(source) { address, finished in
            try await RawPeer.connected(to: address, security: .encrypted(thief)) { peer in
                await peer.send(Preface.hikeshare.bytes)
                try await peer.send(.hello(RawPeer.hello()))
                #expect(await peer.lastFailure()?.code == "identityMismatch")
            }
            let error = peerError(await finished.next()?.result)
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.contains("certificate") == true)
        }
    }

    @Test func aPeerWithOurOwnIdentityIsRefused() async throws {
        let source = try TransferTests.source(sizes: [10])
        let pair = try Pair(encryption: .none)
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                await peer.send(Preface.hikeshare.bytes)
                try await peer.send(.hello(RawPeer.hello(pair.senderIdentity.id)))
                #expect(await peer.lastFailure()?.code == "identityMismatch")
            }
            #expect(peerError(await finished.next()?.result)?.message.contains("same identity") == true)
        }
    }

    @Test func tlsWithoutTheProtocolsNameIsRefused() async throws {
        let source = try TransferTests.source(sizes: [10])
        var pair = try Pair()
        pair.sending.lingerTimeout = .milliseconds(200)
        let identity = try PeerIdentity.generate(for: .hikeshare)
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address, security: .encryptedWithoutProtocol(identity)) { peer in
                await peer.waitForEnd()
            }
            let error = peerError(await finished.next()?.result)
            #expect(error?.code == .protocolViolation)
            #expect(error?.message.contains("does not speak hikeshare's protocol") == true)
        }
    }

    @Test func whoClaimsAFriendsIdInPlainTextIsRefused() async throws {
        let friend = try PeerIdentity.generate(for: .hikeshare)
        var pair = try Pair(encryption: .none)
        pair.senderTrust = MemoryTrustStore([friend.id: "Friend"])
        let source = try TransferTests.source(sizes: [10])
        try await pair.serving(
            source,
            invite: { _ in nobodyIsAsked() },
            { address, finished in
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet(RawPeer.hello(friend.id))
                    try await peer.send(.invite(InvitationRequest(timeout: 15)))
                    let failure = await peer.lastFailure()
                    #expect(failure?.code == "encryptionMismatch")
                    // Who we know is nobody else's business.
                    #expect(failure?.message.contains("Friend") == false)
                }
                let error = peerError(await finished.next()?.result)
                #expect(error?.code == .encryptionMismatch)
                #expect(error?.message.contains("Friend") == true)
            }
        )
    }

    @Test func whoClaimsAFriendsNameInPlainTextIsRefused() async throws {
        var pair = try Pair(encryption: .none)
        pair.senderTrust = MemoryTrustStore([pair.receiverIdentity.id: "Raw"])
        let source = try TransferTests.source(sizes: [10])
        try await pair.serving(
            source,
            invite: { _ in nobodyIsAsked() },
            { address, finished in
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet()
                    try await peer.send(.invite(InvitationRequest(timeout: 15)))
                    let failure = await peer.lastFailure()
                    #expect(failure?.code == "notTrusted")
                    #expect(failure?.message.contains("Raw") == false)
                }
                #expect(peerError(await finished.next()?.result)?.code == .notTrusted)
            }
        )
    }
}
