import Dispatch
import Glibc
import PeerProtocol
import Synchronization

/// Computes the chunk digests of a file on all cores, and optionally copies the file.
///
/// The memory is limited to one piece for each core.
struct FileDigester {
    /// The number of threads.
    var threadCount = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))

    /// Whether the result is no longer needed; it is asked before each piece.
    var isStopped: @Sendable () -> Bool = { false }

    /// The digests of a file's chunks and of the file as a resource.
    struct Result: Hashable, Sendable {
        var layout: ChunkLayout
        var chunkDigests: [ContentDigest]
        var digest: ContentDigest
    }

    /// Reads and hashes a file, and writes its bytes to another file if one is given.
    ///
    /// Calls `progress` on any thread with the number of processed bytes.
    func digest(
        _ file: OpenFile,
        copyingTo target: OpenFile? = nil,
        path: String,
        progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)? = nil
    ) throws -> Result {
        let size = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try file.size() }
        guard let layout = ChunkLayout(size: size) else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) has \(size) bytes; files of more than \(ChunkLayout.maximumSize) bytes cannot be shared."
            )
        }
        let chunksPerPiece = max(1, Int(Self.pieceLength / layout.chunkLength))
        let pieceCount = (layout.chunkCount + chunksPerPiece - 1) / chunksPerPiece
        let state = Mutex(State(pieces: Array(repeating: [], count: pieceCount)))
        DispatchQueue.concurrentPerform(iterations: min(threadCount, pieceCount)) { _ in
            let capacity = chunksPerPiece * Int(layout.chunkLength)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 4096)
            defer { buffer.deallocate() }
            while let piece = state.withLock({ $0.takePiece() }) {
                if isStopped() { return state.withLock { $0.failure = SystemError(number: ECANCELED) } }
                let start = piece * chunksPerPiece
                let chunks = start..<min(start + chunksPerPiece, layout.chunkCount)
                do throws(SystemError) {
                    let bytes = try Self.bytes(of: chunks, in: layout, of: file, buffer: buffer)
                    try target?.write(bytes, at: layout.byteRange(of: chunks).lowerBound)
                    let digests = ContentDigest.chunkDigests(of: [bytes], chunkLength: Int(layout.chunkLength))
                    let done = state.withLock { $0.finish(piece, digests, layout.byteRange(of: chunks).count) }
                    progress?(Int64(done), Int64(size))
                } catch {
                    state.withLock { $0.failure = error }
                }
            }
        }
        let (pieces, failure) = state.withLock { ($0.pieces, $0.failure) }
        if let failure {
            throw RegionStoreError.storage(target == nil ? "read" : "copied into the store", path, failure)
        }
        let digests = pieces.flatMap { $0 }
        return Result(
            layout: layout,
            chunkDigests: digests,
            digest: ContentDigest(resourceSize: size, chunkDigests: digests)
        )
    }

    private struct State {
        var pieces: [[ContentDigest]]
        var next = 0
        var done = 0
        var failure: SystemError?

        mutating func takePiece() -> Int? {
            guard failure == nil, next < pieces.count else { return nil }
            next += 1
            return next - 1
        }

        mutating func finish(_ piece: Int, _ digests: [ContentDigest], _ byteCount: Int) -> Int {
            pieces[piece] = digests
            done += byteCount
            return done
        }
    }

    private static func bytes(
        of chunks: Range<Int>,
        in layout: ChunkLayout,
        of file: OpenFile,
        buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> UnsafeRawBufferPointer {
        let range = layout.byteRange(of: chunks)
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count])
        // A file that has become shorter has changed since its size was read.
        guard try file.read(into: bytes, at: range.lowerBound) == bytes.count else {
            throw SystemError(number: ESTALE)
        }
        return UnsafeRawBufferPointer(bytes)
    }

    private static let pieceLength: UInt64 = 1 << 20
}

extension RegionStoreError {
    /// Runs an operation on a file, and translates its error into one that names the operation and the file.
    static func mapping<Result>(
        _ action: String,
        _ path: String,
        _ body: () throws(SystemError) -> Result
    ) throws(RegionStoreError) -> Result {
        do {
            return try body()
        } catch {
            throw .storage(action, path, error)
        }
    }
}
