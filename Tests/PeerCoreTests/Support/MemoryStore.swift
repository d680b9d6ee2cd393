import Foundation
import NIOCore
import PeerCore
import PeerTestSupport

/// A source whose resources are in memory.
struct MemorySource: ResourceSource {
    struct Description: Codable, Equatable {
        var id: UUID
        var name: String
    }

    let manifest: Manifest
    private let resources: [ResourceKind: [UInt8]]

    init(id: UUID = UUID(), name: String = "Test", _ resources: [(ResourceKind, [UInt8])]) throws {
        self.resources = Dictionary(uniqueKeysWithValues: resources)
        let entries = try resources.map { kind, bytes in
            let layout = try Self.required(ChunkLayout(size: UInt64(bytes.count)))
            let digests = bytes.withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
            return ManifestEntry(
                name: ResourceName(kind: kind, id: id),
                layout: layout,
                digest: ContentDigest(resourceSize: layout.size, chunkDigests: digests)
            )
        }
        self.manifest = try Manifest(id: id, describing: Description(id: id, name: name), entries: entries)
    }

    func bytes(_ kind: ResourceKind) -> [UInt8]? { resources[kind] }

    func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        try Self.required(resources[entry.kind]).withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
    }

    func content(of entry: ManifestEntry) throws -> ResourceContent {
        .bytes(Data(try Self.required(resources[entry.kind])))
    }

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw MemoryStoreError(reportToPeer: "There is no such resource.") }
        return value
    }
}

struct MemoryStoreError: ReportableError, Equatable {
    var reportToPeer: String
    var isOfStorage = false
}

/// A sink that keeps what comes in memory and notes what was done to it.
final class MemorySink: ResourceSink {
    struct State {
        var examined = 0
        var begun = 0
        var writes = 0
        var arriving: [ResourceKind: [UInt8]] = [:]
        var finished: [ResourceKind] = []
        var committed: [ResourceKind: [UInt8]]?
        /// For expectations: a failed one shows only this, not megabytes.
        var isCommitted: Bool { committed != nil }
        var abandoned = 0
        var refusesExamination: MemoryStoreError?
        var failsBegin: MemoryStoreError?
        var failsWrite: MemoryStoreError?
        var failsFinish: MemoryStoreError?
        var failsCommit: MemoryStoreError?
        /// Called, outside of the lock, before a transfer begins.
        var beforeBegin: (@Sendable () -> Void)?
        /// Called, outside of the lock, before located chunks are copied.
        var beforeLook: (@Sendable () -> Void)?
        /// Called, outside of the lock, before each write with the number of bytes so far.
        var beforeWrite: (@Sendable (Int) -> Void)?
        /// Called with what each write is given.
        var onBuffers: (@Sendable ([ByteBuffer]) -> Void)?
        /// Called, inside the lock, by the commit.
        var beforeCommit: (@Sendable () -> Void)?
        var bytesWritten = 0
        var notUnderstood: Set<ResourceKind> = []
        var alreadyThere: [ResourceKind: [UInt8]] = [:]
        var older: [ResourceKind: [UInt8]] = [:]
        /// Called, inside the lock, before the older version is read, with how often that was done.
        var olderReads: (@Sendable (Int, inout [UInt8]) -> Void)?
        var olderReadCount = 0
        /// The kinds of which the digests are wanted before the offer is answered; nil if none are here.
        var surveyed: Set<ResourceKind>?
        /// Called, outside of the lock, before chunks are located, with how often that was done.
        var beforeLocating: (@Sendable (Int, @Sendable () -> Bool) throws -> Void)?
        /// How often chunks of each kind were located.
        var locatedCount: [ResourceKind: Int] = [:]
        /// The peers from which transfers were begun.
        var peers: [RemotePeer] = []
    }

    let state = Locked(State())

    var snapshot: State { state.withLock { $0 } }

    func understands(_ kind: ResourceKind) -> Bool {
        !snapshot.notUnderstood.contains(kind)
    }

    func examine(_ manifest: Manifest) throws {
        try state.withLock {
            $0.examined += 1
            if let error = $0.refusesExamination { throw error }
        }
    }

    func presence(of manifest: Manifest) throws -> [ResourceKind: LocalPresence] {
        Dictionary(uniqueKeysWithValues: (snapshot.surveyed ?? []).map { ($0, .partial) })
    }

    func locate(
        _ entry: ManifestEntry,
        of manifest: Manifest,
        digests: [ContentDigest],
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> LocatedChunks {
        let (hook, count) = state.withLock { state in
            defer { state.locatedCount[entry.kind, default: 0] += 1 }
            return (state.beforeLocating, state.locatedCount[entry.kind, default: 0])
        }
        try hook?(count, isStopped)
        let missing = missingChunks(of: entry, digests: digests)
        return LocatedChunks(missing: missing, older: deltaBasis(of: entry, for: missing))
    }

    private func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) -> ChunkRuns {
        guard let there = state.withLock({ $0.alreadyThere[entry.kind] }) else { return entry.layout.allChunks }
        let ours = there.withUnsafeBytes { ContentDigest.chunkDigests(of: $0) }
        let missing = digests.indices.filter { ours[$0] != digests[$0] }.map { $0..<$0 + 1 }
        return entry.layout.runs(validating: missing) ?? entry.layout.allChunks
    }

    private func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) -> DeltaBasis? {
        guard state.withLock({ $0.older[entry.kind] }) != nil else { return nil }
        return DeltaBasis(chunks: missing) { [self] range in
            state.withLock { state in
                var older = state.older[entry.kind] ?? []
                state.olderReads?(state.olderReadCount, &older)
                state.olderReadCount += 1
                return ByteBuffer(bytes: older[Int(range.lowerBound)..<min(Int(range.upperBound), older.count)])
            }
        }
    }

    func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) throws -> any IncomingTransfer {
        snapshot.beforeBegin?()
        try state.withLock { state in
            if let error = state.failsBegin { throw error }
            state.begun += 1
            state.peers.append(peer)
            for entry in manifest.entries where kinds.contains(entry.kind) {
                state.arriving[entry.kind] =
                    state.alreadyThere[entry.kind] ?? [UInt8](repeating: 0, count: Int(entry.size))
            }
        }
        return Incoming(sink: self)
    }

    private struct Incoming: IncomingTransfer {
        let sink: MemorySink

        func missingChunks(
            of entry: ManifestEntry,
            digests: [ContentDigest],
            located: LocatedChunks
        ) throws -> ChunkRuns {
            sink.snapshot.beforeLook?()
            return sink.missingChunks(of: entry, digests: digests)
        }

        func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws {
            let (hook, soFar) = sink.state.withLock { ($0.beforeWrite, $0.bytesWritten) }
            hook?(soFar)
            try sink.state.withLock { state in
                if let error = state.failsWrite { throw error }
                state.onBuffers?(buffers)
                state.writes += 1
                state.bytesWritten += buffers.reduce(0) { $0 + $1.readableBytes }
                var position = Int(offset)
                for buffer in buffers {
                    let bytes = Array(buffer.readableBytesView)
                    state.arriving[entry.kind]?.replaceSubrange(position..<position + bytes.count, with: bytes)
                    position += bytes.count
                }
            }
        }

        func finish(_ entry: ManifestEntry) throws {
            try sink.state.withLock { state in
                if let error = state.failsFinish { throw error }
                state.finished.append(entry.kind)
            }
        }

        func commit() throws -> TransferReceipt {
            try sink.state.withLock { state in
                if let error = state.failsCommit { throw error }
                state.beforeCommit?()
                state.committed = state.arriving
                let sizes = state.arriving.map { ($0.key.rawValue, $0.value.count) }
                return TransferReceipt(imported: Dictionary(uniqueKeysWithValues: sizes))
            }
        }

        func abandon() {
            sink.state.withLock { $0.abandoned += 1 }
        }
    }
}
