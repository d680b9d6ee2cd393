package import NIOCore
package import PeerCore

/// A transfer without a connection, which finds out what is here as a session does.
package final class LocalTransfer: IncomingTransfer {
    private let sink: any ResourceSink
    private let manifest: Manifest
    private let transfer: any IncomingTransfer
    private let located = Locked<[ResourceKind: LocatedChunks]>([:])

    fileprivate init(_ sink: any ResourceSink, _ manifest: Manifest, _ transfer: any IncomingTransfer) {
        self.sink = sink
        self.manifest = manifest
        self.transfer = transfer
    }

    /// Locates the chunks of a resource, copies them, and returns those that are missing.
    fileprivate func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns {
        let found = try sink.locate(entry, of: manifest, digests: digests) { false }
        located.withLock { $0[entry.kind] = found }
        return try missingChunks(of: entry, digests: digests, located: found)
    }

    /// The older version that was located with the chunks of a resource.
    fileprivate func older(_ kind: ResourceKind) -> DeltaBasis? { located.value[kind]?.older }

    package func missingChunks(
        of entry: ManifestEntry,
        digests: [ContentDigest],
        located: LocatedChunks
    ) throws -> ChunkRuns {
        try transfer.missingChunks(of: entry, digests: digests, located: located)
    }

    package func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws {
        try transfer.write(buffers, at: offset, of: entry)
    }

    package func writeAssembled(
        _ chunk: ByteBuffer,
        at offset: UInt64,
        of entry: ManifestEntry,
        arrivedCount: Int
    ) throws {
        try transfer.writeAssembled(chunk, at: offset, of: entry, arrivedCount: arrivedCount)
    }

    package func finish(_ entry: ManifestEntry) throws { try transfer.finish(entry) }
    package func commit() throws -> TransferReceipt { try transfer.commit() }
    package func stop() { transfer.stop() }
    package func abandon() { transfer.abandon() }
}

extension ResourceSink {
    /// Begins a transfer without a connection.
    package func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        fromPeer peer: RemotePeer = .called("")
    ) throws -> any IncomingTransfer {
        LocalTransfer(self, manifest, try begin(manifest, accepting: kinds, from: peer))
    }
}

extension RemotePeer {
    /// A peer of which little is known.
    package static func called(_ name: String, id: PeerID? = nil) -> RemotePeer {
        RemotePeer(
            id: id ?? PeerID(digest: ContentDigest(hashing: [])),
            displayName: name,
            platform: "",
            software: "",
            address: "",
            security: id.map { .encrypted($0) } ?? .plainText,
            trust: .unknown
        )
    }
}

extension IncomingTransfer {
    /// Finds out which chunks of a resource are missing from a ``LocalTransfer``.
    package func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns {
        guard let local = self as? LocalTransfer else { return entry.layout.allChunks }
        return try local.missingChunks(of: entry, digests: digests)
    }

    /// Returns the older version of a resource of a ``LocalTransfer`` that was found with the missing chunks.
    package func deltaBasis(of entry: ManifestEntry) -> DeltaBasis? {
        (self as? LocalTransfer)?.older(entry.kind)
    }
}
