import Dispatch
import Glibc
import NIOConcurrencyHelpers
package import PeerProtocol

/// Computes the chunk digests of a file on all cores, and optionally copies the file.
///
/// The calling thread does its part, so it must not be one that tasks wait for. The memory is limited to one piece for each
/// thread.
package struct FileDigester {
    /// The number of threads.
    package var threadCount: Int

    /// Whether the result is no longer needed; it is asked before each piece.
    package var isStopped: @Sendable () -> Bool

    /// The digests of a file's chunks and of the file as a resource.
    package struct Result: Hashable, Sendable {
        /// How the file is cut into chunks.
        package var layout: ChunkLayout
        /// The digests of the chunks, in order.
        package var chunkDigests: [ContentDigest]
        /// The digest of the file as a resource.
        package var digest: ContentDigest

        package init(layout: ChunkLayout, chunkDigests: [ContentDigest], digest: ContentDigest) {
            self.layout = layout
            self.chunkDigests = chunkDigests
            self.digest = digest
        }
    }

    /// Creates a digester.
    ///
    /// - Parameter threadCount: The number of threads; nil for one on each core.
    package init(threadCount: Int? = nil, isStopped: @escaping @Sendable () -> Bool = { false }) {
        self.threadCount = threadCount ?? Self.coreCount
        self.isStopped = isStopped
    }

    /// Reads and hashes a file, and writes its bytes to another file if one is given.
    ///
    /// Calls `progress` on any thread with the number of processed bytes.
    ///
    /// - Parameters:
    ///   - target: The file that gets the bytes; nil if they are only hashed.
    ///   - progress: Gets the number of processed bytes and the size of the file.
    /// - Throws: ``SystemError``; `ESTALE` if the file has become shorter, `ECANCELED` if ``isStopped`` returned true.
    package func digest(
        _ file: OpenFile,
        _ layout: ChunkLayout,
        copyingTo target: OpenFile? = nil,
        progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)? = nil
    ) throws(SystemError) -> Result {
        let size = layout.size
        let chunksPerPiece = max(1, Int(Self.pieceLength / layout.chunkLength))
        let pieceCount = (layout.chunkCount + chunksPerPiece - 1) / chunksPerPiece
        let state = NIOLockedValueBox(State(pieces: Array(repeating: [], count: pieceCount)))
        let isStopped = isStopped
        let digestPieces: @Sendable () -> Void = {
            let capacity = chunksPerPiece * Int(layout.chunkLength)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 4096)
            defer { buffer.deallocate() }
            while let piece = state.withLockedValue({ $0.takePiece() }) {
                if isStopped() { return state.withLockedValue { $0.failure = SystemError(number: ECANCELED) } }
                let start = piece * chunksPerPiece
                let chunks = start..<min(start + chunksPerPiece, layout.chunkCount)
                do throws(SystemError) {
                    let bytes = try Self.bytes(of: chunks, in: layout, of: file, buffer: buffer)
                    try target?.write(bytes, at: layout.byteRange(of: chunks).lowerBound)
                    let digests = ContentDigest.chunkDigests(of: [bytes], chunkLength: Int(layout.chunkLength))
                    let done = state.withLockedValue { $0.finish(piece, digests, layout.byteRange(of: chunks).count) }
                    progress?(Int64(done), Int64(size))
                } catch {
                    state.withLockedValue { $0.failure = error }
                }
            }
        }
        let helpers = DispatchGroup()
        for _ in 0..<max(0, min(threadCount, pieceCount) - 1) {
            Self.helpers.run {
                // A helper that starts too late has nothing to do, and no thread waits for it.
                guard state.withLockedValue({ $0.begin(helpers) }) else { return }
                digestPieces()
                helpers.leave()
            }
        }
        digestPieces()
        state.withLockedValue { $0.isOver = true }
        helpers.wait()
        let (pieces, failure) = state.withLockedValue { ($0.pieces, $0.failure) }
        if let failure { throw failure }
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
        /// Whether all pieces were taken.
        var isOver = false

        func begin(_ helpers: DispatchGroup) -> Bool {
            if !isOver { helpers.enter() }
            return !isOver
        }

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

    // Sixteen chunks of 64 KiB, which can be hashed at once.
    private static let pieceLength: UInt64 = 1 << 20

    private static let coreCount = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))

    /// The threads that help those that have called, whatever number of files is hashed at once.
    private static let helpers = BlockingThreads(maximumCount: coreCount)
}
