import Glibc
import NIOConcurrencyHelpers
import NIOCore
import PeerCore
import PeerProtocol
import PeerStorage

/// A resource that is received into a file under a temporary name.
final class FileDraft: ResourceDraft {
    private enum Location: Sendable {
        /// A hidden file in the folder of the destination.
        case beside(HiddenFile)
        /// A file that is kept until the resource is complete.
        case kept(ReceivedPart)
    }

    private struct State {
        var sync: GradualSync?
        /// Whether the file may contain bytes.
        var isBegun: Bool
        var isPlaced = false
    }

    private let entry: ManifestEntry
    private let name: SafeFileName
    private let target: FileTarget
    private let location: Location
    private let data: OpenFile
    private let syncInterval: UInt64
    private let state: NIOLockedValueBox<State>

    /// Opens the received part of a resource, or creates a file for it.
    init(
        _ entry: ManifestEntry,
        _ name: SafeFileName,
        to target: FileTarget,
        keptIn parts: ReceivedParts?,
        syncInterval: UInt64
    ) throws(PeerError) {
        do throws(SystemError) {
            if let kept = try parts?.open(entry) {
                state = NIOLockedValueBox(State(isBegun: kept.wasBegun))
                location = .kept(kept)
                data = kept.data
            } else {
                let hidden = try HiddenFile(in: target.folder)
                data = hidden.file
                location = .beside(hidden)
                state = NIOLockedValueBox(State(isBegun: false))
            }
        } catch {
            throw .cannotStore(name, error)
        }
        self.entry = entry
        self.name = name
        self.target = target
        self.syncInterval = syncInterval
    }

    func resume() throws(PeerError) {
        let mayHaveBytes = state.withLockedValue { $0.isBegun }
        try name.storing { () throws(SystemError) in
            // A new file grows while it is written, because a file system without sparse files would fill it with zeros first.
            // A file that is hashed needs its complete length.
            guard mayHaveBytes, try data.size() != entry.size else { return }
            try data.resize(to: entry.size)
        }
        let sync = GradualSync(every: syncInterval) { [data, location] () throws(SystemError) in
            switch location {
            case .beside: try data.synchronize()
            case .kept(let kept): try kept.synchronize()
            }
        }
        state.withLockedValue { $0.sync = sync }
    }

    func missingChunks(
        digests: [ContentDigest],
        isStopped: @escaping @Sendable () -> Bool
    ) throws(PeerError) -> ChunkRuns {
        let isBegun = state.withLockedValue { state in
            defer { state.isBegun = true }
            return state.isBegun
        }
        guard isBegun else { return entry.layout.allChunks }
        return try name.storing { () throws(SystemError) in
            try FileDigester(isStopped: isStopped).missingChunks(of: entry.layout, digests, in: data)
        }
    }

    func write(_ buffers: [ByteBuffer], _ chunks: Range<Int>, at offset: UInt64) throws(PeerError) {
        try name.storing { () throws(SystemError) in
            try data.write(buffers, at: offset)
            try state.withLockedValue { $0.sync }?.wrote(UInt64(entry.layout.byteRange(of: chunks).count))
        }
    }

    func place() throws(PeerError) -> ReceivedResource {
        let path = try name.storing { () throws(SystemError) in
            try state.withLockedValue { $0.sync }?.finish()
            guard try data.size() == entry.size else { throw SystemError(number: ESTALE) }
            // The bytes are on the disk before the file gets its name, so a power cut leaves no incomplete file under that name.
            try data.synchronize()
            switch location {
            case .beside(let hidden): return try target.take(hidden.name, from: target.folder)
            case .kept(let kept):
                let path = try take(kept)
                kept.remove()
                return path
            }
        }
        state.withLockedValue { $0.isPlaced = true }
        return .file(path: path)
    }

    func pause() {
        // An error does not matter: the connection has ended, and the next transfer hashes the file again.
        try? state.withLockedValue { $0.sync }?.finish()
    }

    func discard() {
        guard !state.withLockedValue({ $0.isPlaced }) else { return }
        switch location {
        case .beside(let hidden): hidden.remove()
        case .kept(let kept): if (try? data.status().allocatedSize) == 0 { kept.remove() }
        }
    }

    /// Moves the file to its destination, or copies it if the destination is on another disk.
    private func take(_ kept: ReceivedPart) throws(SystemError) -> String {
        do throws(SystemError) {
            return try target.take(ReceivedPart.dataName, from: kept.folder)
        } catch  where error.number == EXDEV {
            let copy = try HiddenFile(in: target.folder)
            do throws(SystemError) {
                try FileCopy.copy(data, to: copy.file, size: entry.size)
                try copy.file.synchronize()
                return try target.take(copy.name, from: target.folder)
            } catch {
                copy.remove()
                throw error
            }
        }
    }
}
