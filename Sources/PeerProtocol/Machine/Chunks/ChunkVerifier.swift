package import NIOCore

/// Holds back the bytes of chunks until they match their digests.
///
/// The bytes arrive in order, cut anywhere, and leave as whole, verified chunks. Between two calls it holds less than
/// one chunk. Gathering and verifying are separate steps, so several threads can verify at once.
package struct ChunkVerifier: Sendable {
    /// Whole chunks, one after the other, not yet verified.
    package struct Gathered: Equatable, Sendable {
        /// The chunks' positions.
        package fileprivate(set) var chunks: Range<Int>
        fileprivate var buffers: [ByteBuffer]
        /// The number of bytes.
        package fileprivate(set) var byteCount: Int
        fileprivate let layout: ChunkLayout
        fileprivate let digests: [ContentDigest]

        /// Adds chunks if they are the next ones; returns whether they are.
        package mutating func append(_ next: Gathered) -> Bool {
            guard next.chunks.lowerBound == chunks.upperBound else { return false }
            chunks = chunks.lowerBound..<next.chunks.upperBound
            buffers += next.buffers
            byteCount += next.byteCount
            return true
        }

        /// How many of the chunks fill the lanes of the processor; 0 if they are too few.
        package var bestCount: Int {
            let lanes = ContentDigest.chunksAtOnce(length: Int(clamping: layout.chunkLength))
            return chunks.count - chunks.count % lanes
        }

        /// Keeps the first chunks and returns the others; nil if there are no others.
        package mutating func split(after count: Int) -> Gathered? {
            guard count > 0, count < chunks.count else { return nil }
            let cut = chunks.lowerBound + count
            let length = layout.byteRange(of: chunks.lowerBound..<cut).count
            var (first, last, left) = ([] as [ByteBuffer], [] as [ByteBuffer], length)
            for var buffer in buffers {
                if let slice = buffer.readSlice(length: min(left, buffer.readableBytes)), slice.readableBytes > 0 {
                    first.append(slice)
                    left -= slice.readableBytes
                }
                if buffer.readableBytes > 0 { last.append(buffer) }
            }
            let rest = Gathered(
                chunks: cut..<chunks.upperBound,
                buffers: last,
                byteCount: byteCount - length,
                layout: layout,
                digests: digests
            )
            (chunks, buffers, byteCount) = (chunks.lowerBound..<cut, first, length)
            return rest
        }

        /// Hashes the chunks.
        ///
        /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/digestMismatch`` if one is not what it should be.
        package func verified() throws(ProtocolError) -> Verified {
            let found = buffers.withPieces {
                ContentDigest.chunkDigests(of: $0, chunkLength: Int(layout.chunkLength))
            }
            // All chunks of a batch are hashed before any is compared: lanes of the processor hash several at once.
            let wrong = zip(chunks, found).first { position, digest in digests[position] != digest }?.0
            if let wrong = found.count == chunks.count ? wrong : chunks.lowerBound {
                throw ProtocolError(
                    .digestMismatch,
                    "The received data does not match its digest (chunk \(wrong)). The chunk was discarded."
                )
            }
            let offset = layout.byteRange(of: chunks).lowerBound
            return Verified(offset: offset, buffers: buffers, byteCount: byteCount)
        }
    }

    /// Verified bytes: whole chunks, one after the other, in pieces of any length.
    package struct Verified: Hashable, Sendable {
        /// Where in the resource the bytes begin.
        package var offset: UInt64
        /// The bytes.
        package var buffers: [ByteBuffer]
        /// The number of bytes.
        package var byteCount: Int
    }

    /// Below this length, bytes are copied together.
    private static let crumbLength = 4096

    private let layout: ChunkLayout
    private let digests: [ContentDigest]
    /// The chunk to which the bytes that are held belong, or the next ones if none are.
    private var next = 0
    private var held: [ByteBuffer] = []
    private var heldCount = 0
    /// Whether the last buffer is a copy to which further short pieces are added.
    private var isCollectingCrumbs = false

    /// Creates a verifier for chunks of a resource.
    package init(layout: ChunkLayout, digests: [ContentDigest]) {
        self.layout = layout
        self.digests = digests
    }

    /// Expects the bytes from this offset on, unless it is in the middle of a chunk.
    package mutating func expectBytes(from offset: UInt64) {
        guard heldCount == 0, offset < layout.size else { return }
        next = Int(offset / layout.chunkLength)
    }

    /// Takes the next bytes and returns the chunks that they complete, yet to be verified.
    ///
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/unexpectedFrame`` if more bytes come than the resource has.
    package mutating func gather(_ buffers: [ByteBuffer]) throws(ProtocolError) -> [Gathered] {
        var gathered: [Gathered] = []
        for var buffer in buffers {
            while buffer.readableBytes > 0 {
                // The machine has checked the frame. This check keeps an index in range whatever the machine allows.
                guard next < layout.chunkCount, layout.chunkCount <= digests.count else {
                    throw .unrequestedData
                }
                let rest = next..<layout.chunkCount
                let missing = layout.byteRange(of: rest).count - heldCount
                guard let slice = buffer.readSlice(length: min(missing, buffer.readableBytes)) else { break }
                hold(slice)
                let isRest = slice.readableBytes == missing
                let count = isRest ? rest.count : heldCount / Int(layout.chunkLength)
                if count > 0 { release(count, into: &gathered) }
            }
        }
        return gathered
    }

    private mutating func hold(_ slice: ByteBuffer) {
        heldCount += slice.readableBytes
        // A slice that is only a small part of its buffer is a crumb, too.
        let isCrumb = slice.readableBytes < max(Self.crumbLength, slice.storageCapacity / 4)
        guard isCrumb else {
            held.append(slice)
            isCollectingCrumbs = false
            return
        }
        // A crumb keeps its whole buffer alive. A peer that sends nothing but crumbs could make this side hold thousands of
        // times what it sent.
        if isCollectingCrumbs {
            held[held.count - 1].writeImmutableBuffer(slice)
        } else {
            held.append(ByteBuffer(buffer: slice))
            isCollectingCrumbs = true
        }
    }

    /// Removes the first complete chunks from the buffers.
    ///
    /// The rest is in the last buffer: before that buffer came, no chunk was complete.
    private mutating func release(_ count: Int, into gathered: inout [Gathered]) {
        let chunks = next..<next + count
        let byteCount = layout.byteRange(of: chunks).count
        let leftCount = heldCount - byteCount
        var left: [ByteBuffer] = []
        if leftCount > 0, var last = held.popLast() {
            if let front = last.readSlice(length: last.readableBytes - leftCount) { held.append(front) }
            left = [last]
        }
        let whole = Gathered(chunks: chunks, buffers: held, byteCount: byteCount, layout: layout, digests: digests)
        if gathered.isEmpty || !gathered[gathered.count - 1].append(whole) { gathered.append(whole) }
        held = left
        heldCount = leftCount
        isCollectingCrumbs = false
        next = chunks.upperBound
    }
}

extension [ByteBuffer] {
    /// Calls `body` with the readable bytes of all buffers.
    fileprivate func withPieces<Result>(_ body: ([UnsafeRawBufferPointer]) -> Result) -> Result {
        // The bytes stay in place while their storage lives, and the buffers do not change meanwhile.
        let pieces = map { buffer in
            buffer.withUnsafeReadableBytesWithStorageManagement { ($0, $1.takeUnretainedValue()) }
        }
        return withExtendedLifetime(pieces) { body(pieces.map(\.0)) }
    }
}
