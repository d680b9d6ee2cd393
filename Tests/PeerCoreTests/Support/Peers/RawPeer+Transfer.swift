import Foundation
import NIOCore
import PeerCore
import Testing

extension RawPeer {
    /// What a well-behaved peer says of itself.
    static func hello(
        _ id: PeerID = PeerID(digest: ContentDigest(hashing: [1, 2, 3])),
        application: String = "hikeshare",
        versions: [ProtocolVersion] = ProtocolVersion.supported,
        role: Conversation.Side = .dialer,
        encryption: EncryptionPreference = .none
    ) -> Hello {
        Hello(
            application: application,
            versions: versions,
            peerID: id,
            displayName: "Raw",
            platform: "Test",
            software: "raw 1",
            role: role,
            encryption: encryption,
            features: [Hello.piecesFeature]
        )
    }

    /// Says hello and waits for the other side's, as it should be.
    func greet(_ hello: Hello = RawPeer.hello()) async throws {
        var hello = hello
        hello.role = role
        await send(Preface.hikeshare.bytes)
        try await send(.hello(hello))
        guard try await next(.hello) != nil else { throw ScriptError("no hello") }
    }

    /// Invites, and returns the manifest that comes.
    func invite(timeout: Int = 300, token: ShareToken? = nil) async throws -> Manifest {
        try await send(.invite(InvitationRequest(timeout: timeout, token: token)))
        guard case .manifest(let body) = try await next(.manifest) else { throw ScriptError("no manifest") }
        return try Manifest(parsing: body)
    }

    /// Sends signs of life and nothing else until the other side closes.
    func onlyStayAlive() async throws {
        while channel.isActive {
            try await send(.ping(Ping(nonce: 0)))
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Sends the bytes of a frame one by one, with time between them.
    func dribble(_ frame: Frame) async throws {
        var buffer = ByteBuffer()
        try FrameEncoder(preface: .hikeshare).write(frame, into: &buffer)
        for byte in buffer.readableBytesView where channel.isActive {
            await send([byte])
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// ResourceSelection for everything, and waits for the lists of digests.
    func select(from manifest: Manifest) async throws {
        try await send(.selection(ResourceSelection(kinds: manifest.entries.map(\.kind))))
        for entry in manifest.entries {
            var count = 0
            repeat {
                guard case .digests(let part) = try await next(.digests) else { throw ScriptError("no digests") }
                count += part.digests.count
            } while count < entry.layout.chunkCount
        }
    }

    /// Invites, selects every resource, requests every chunk of the first one, and returns the manifest.
    ///
    /// `beforeRequest` is called right before the request.
    @discardableResult
    func requestEverything(
        token: ShareToken? = nil,
        beforeRequest: () async throws -> Void = {}
    ) async throws -> Manifest {
        let manifest = try await invite(token: token)
        try await select(from: manifest)
        try await beforeRequest()
        guard let entry = manifest.entries.first else { throw ScriptError("no resource") }
        try await send(.request(ChunkRequest(resource: 0, runs: entry.layout.allChunks.ranges)))
        return manifest
    }

    /// Waits for an invitation and accepts it with a manifest.
    func offer(_ manifest: Manifest) async throws {
        guard try await next(.invite) != nil else { throw ScriptError("no invitation") }
        try await send(.accept, .manifest(manifest.body))
    }

    /// Waits for the selection and sends the true lists of digests.
    func list(_ source: MemorySource) async throws {
        guard case .selection(let selection) = try await next(.selection) else { throw ScriptError("no selection") }
        for (position, entry) in source.manifest.entries.enumerated() where selection.kinds.contains(entry.kind) {
            for part in DigestListPart.parts(of: try source.chunkDigests(of: entry), resource: position) {
                try await send(.digests(part))
            }
        }
    }

    /// Waits for the query for digest lists that comes before the selection.
    func digestQuery() async throws -> DigestQuery {
        guard case .digestQuery(let query) = try await next(.digestQuery) else { throw ScriptError("no query") }
        return query
    }

    /// Goes on until the first request for chunks has come.
    func offerAndList(_ source: MemorySource) async throws {
        try await greet()
        try await offer(source.manifest)
        try await list(source)
        guard try await next(.request) != nil else { throw ScriptError("no request") }
    }
}

/// The other side did not do what a script waits for.
struct ScriptError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
