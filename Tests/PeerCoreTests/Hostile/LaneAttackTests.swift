import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Connections that claim to belong to somebody's transfer.
@Suite(.timeLimit(.minutes(10))) struct LaneAttackTests {
    private static let token = ShareToken(bytes: [UInt8](repeating: 9, count: 10))
    private static let wrongSecret = ConnectionSecret(bytes: [UInt8](repeating: 9, count: 16))

    /// A transfer whose sender has asked for two lanes and waits for its peer to read.
    private struct Transfer: Sendable {
        var address: SocketAddress
        var secret: ConnectionSecret
        var receiver: PeerIdentity
        var encryption: EncryptionPreference

        /// Tries to join with the first frame, after `before`; whether data come.
        func join(
            _ secret: ConnectionSecret? = nil,
            as identity: PeerIdentity? = nil,
            encryption: EncryptionPreference? = nil,
            after before: @Sendable (RawPeer) async throws -> Void = { _ in },
            then body: (Bool) async throws -> Void
        ) async throws {
            let security: RawPeer.Security =
                (encryption ?? self.encryption) == .none ? .plainText : .encrypted(identity ?? receiver)
            let secret = secret ?? self.secret
            try await RawPeer.connected(to: address, security: security, readsAbout: 1_000_000) { lane in
                await lane.send(Preface.hikeshare.bytes)
                try await before(lane)
                try await lane.send(.join(LaneJoin(secret: secret)))
                let hasJoined = try await lane.waitForData()
                try await body(hasJoined)
            }
        }

        /// Expects that such an attempt is refused.
        func expectRefused(
            _ secret: ConnectionSecret? = nil,
            as identity: PeerIdentity? = nil,
            encryption: EncryptionPreference? = nil,
            after before: @Sendable (RawPeer) async throws -> Void = { _ in },
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await join(secret, as: identity, encryption: encryption, after: before) { hasJoined in
                #expect(!hasJoined, sourceLocation: sourceLocation)
            }
        }
    }

    private func withTransfer(
        _ encryption: EncryptionPreference,
        listening: EncryptionPreference? = nil,
        _ body: (Transfer) async throws -> Void
    ) async throws {
        var pair = try Pair(encryption: listening ?? encryption)
        pair.sending.lanes = .always(2)
        pair.shareToken = Self.token
        let source = try MemorySource([(.mbtiles, [UInt8](repeating: 0x5A, count: 100_000_000))])
        let identity = pair.receiverIdentity
        try await pair.serving(source) { address, finished in
            let security: RawPeer.Security = encryption == .none ? .plainText : .encrypted(identity)
            try await RawPeer.connected(to: address, security: security, readsAbout: 1_000_000) { peer in
                var hello = RawPeer.hello(identity.id, encryption: encryption)
                hello.features = [Hello.lanesFeature]
                try await peer.greet(hello)
                let token = encryption == .none ? nil : Self.token
                try await peer.requestEverything(token: token)
                guard case .lanes(let invitation) = try await peer.next(.lanes) else { throw ScriptError("no lanes") }
                #expect(invitation.count == 2)
                let transfer = Transfer(
                    address: address,
                    secret: invitation.secret,
                    receiver: identity,
                    encryption: encryption
                )
                try await body(transfer)
            }
            // The attempts are over before; of all transfers, only this one was let in.
            var last = await finished.next()
            while let transfer = last, transfer.transfer != 1 { last = await finished.next() }
            #expect(last?.bytesTransferred ?? 0 > 0)
        }
    }

    @Test(arguments: [EncryptionPreference.none, .required])
    func aGuessedSecretJoinsNothing(encryption: EncryptionPreference) async throws {
        try await withTransfer(encryption) { transfer in
            for _ in 0..<20 { try await transfer.expectRefused(Self.wrongSecret) }
            // The transfer lives on, and its own lanes get in.
            try await transfer.join { #expect($0) }
        }
    }

    /// A receiver that has everything from its lanes may confirm before the sender says that all is handed out.
    @Test func aConfirmationBeforeTheHandOutCounts() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.lanes = .always(2)
        let source = try MemorySource([(.mbtiles, [UInt8](repeating: 0x5A, count: 100_000_000))])
        try await pair.serving(source) { [pair] address, finished in
            try await RawPeer.connected(to: address) { peer in
                var hello = RawPeer.hello(pair.receiver.id)
                hello.features = [Hello.lanesFeature]
                try await peer.greet(hello)
                let manifest = try await peer.requestEverything()
                let entry = try #require(manifest.entries.first)
                #expect(try await peer.next(.lanes) != nil)
                try await peer.send(.confirmation(Confirmation(resource: 0, digest: entry.digest)))
                #expect(try await peer.next(.done) != nil)
                try await peer.send(
                    .acknowledgement(Acknowledgement(id: manifest.id, time: .now, imported: [:], keptLocal: [:]))
                )
            }
            #expect(try await finished.next()?.result.get() != nil)
        }
    }

    /// It could be faster than what the main connection has sent since the earlier request.
    @Test func aLaneOfAnEarlierRequestGetsNothing() async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.lanes = .always(2)
        let source = try MemorySource([
            (.mbtiles, [UInt8](repeating: 0x5A, count: 100_000)),
            (.routing, [UInt8](repeating: 0xA5, count: 100_000_000)),
        ])
        try await pair.serving(source) { [pair] address, _ in
            try await RawPeer.connected(to: address, readsAbout: 1_000_000) { peer in
                var hello = RawPeer.hello(pair.receiver.id)
                hello.features = [Hello.lanesFeature]
                try await peer.greet(hello)
                let manifest = try await peer.requestEverything()
                guard case .lanes(let earlier) = try await peer.next(.lanes) else { throw ScriptError("no lanes") }
                #expect(try await peer.next(.allDispatched) != nil)
                let entry = try #require(manifest.entries.first)
                try await peer.send(.confirmation(Confirmation(resource: 0, digest: entry.digest)))
                let second = try #require(manifest.entries.last)
                try await peer.send(.request(ChunkRequest(resource: 1, runs: second.layout.allChunks.ranges)))
                guard case .lanes(let invitation) = try await peer.next(.lanes) else { throw ScriptError("no lanes") }
                let transfer = Transfer(
                    address: address,
                    secret: invitation.secret,
                    receiver: pair.receiverIdentity,
                    encryption: .none
                )
                try await transfer.expectRefused(earlier.secret)
                try await transfer.join { #expect($0) }
            }
        }
    }

    @Test func anotherKeyJoinsNothingEvenWithTheSecret() async throws {
        let stranger = try PeerIdentity.generate(for: .hikeshare)
        try await withTransfer(.required) { transfer in
            try await transfer.expectRefused(as: stranger)
            try await transfer.join { #expect($0) }
        }
    }

    @Test func nobodyJoinsAnEncryptedTransferInPlainText() async throws {
        try await withTransfer(.required, listening: .optional) { transfer in
            try await transfer.expectRefused(encryption: EncryptionPreference.none)
        }
    }

    @Test(arguments: [EncryptionPreference.none, .required])
    func notMoreJoinThanWereInvited(encryption: EncryptionPreference) async throws {
        try await withTransfer(encryption) { transfer in
            try await transfer.join { first in
                try await transfer.join { second in
                    #expect(first && second)
                    try await transfer.expectRefused()
                }
            }
        }
    }

    @Test func onlyTheFirstFrameJoins() async throws {
        try await withTransfer(.none) { transfer in
            try await transfer.expectRefused { try await $0.send(.hello(RawPeer.hello())) }
            try await transfer.expectRefused { try await $0.send(.ping(Ping(nonce: 1))) }
        }
    }
}
