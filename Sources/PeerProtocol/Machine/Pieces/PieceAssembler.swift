package import NIOCore

/// Gathers the bytes of each chunk as they arrive, to combine them with what is present.
///
/// The bytes come in order, cut anywhere. Between two calls it holds less than one chunk. Gathering and combining
/// are separate steps, so another thread can combine.
package struct PieceAssembler: Sendable {
    /// A chunk whose requested bytes have all arrived; its other bytes are present.
    package struct GatheredChunk: Equatable, Sendable {
        /// The chunk's position in the resource.
        package let position: Int
        /// The bytes of the resource that the chunk covers.
        package let byteRange: Range<UInt64>

        fileprivate let digest: ContentDigest
        fileprivate let parts: [Range<UInt64>]
        fileprivate var bytes = ByteBuffer()

        /// The number of bytes that arrived.
        package var arrivedCount: Int { bytes.readableBytes }

        fileprivate var missingCount: Int { parts.reduce(0) { $0 + $1.count } - bytes.readableBytes }

        /// Puts the chunk together.
        ///
        /// - Parameter present: The chunk without what arrived; fewer bytes if not all of it is known.
        /// - Returns: The chunk; nil if it does not match its digest.
        package func assembled(with present: ByteBuffer) -> ByteBuffer? {
            var chunk = present
            // What is not known is filled by the bytes that came; if not, the digest does not match.
            chunk.writeRepeatingByte(0, count: byteRange.count - min(byteRange.count, chunk.readableBytes))
            var bytes = bytes
            for part in parts {
                guard let piece = bytes.readSlice(length: part.count) else { return nil }
                chunk.setBuffer(piece, at: chunk.readerIndex + Int(part.lowerBound - byteRange.lowerBound))
            }
            return ContentDigest(hashing: chunk) == digest ? chunk : nil
        }
    }

    /// The chunks that are not whole yet, the next one last.
    private var chunks: [GatheredChunk] = []
    /// The expected bytes for which no frame has begun.
    private var frames: ChunkCursor

    package init(layout: ChunkLayout, digests: [ContentDigest], chunks: ChunkRuns, missing: ByteRuns) {
        frames = ChunkCursor(missing)
        var runs = missing.ranges[...]
        for position in chunks.ranges.joined() where digests.indices.contains(position) {
            let own = layout.byteRange(of: position..<position + 1)
            var parts: [Range<UInt64>] = []
            while let run = runs.first, run.lowerBound < own.upperBound {
                let part = run.clamped(to: own)
                if !part.isEmpty { parts.append(part) }
                // The run continues in the next chunk.
                if run.upperBound > own.upperBound { break }
                runs.removeFirst()
            }
            self.chunks.append(
                GatheredChunk(
                    position: position,
                    byteRange: own,
                    digest: digests[position],
                    parts: parts
                )
            )
        }
        self.chunks.reverse()
    }

    /// Whether every chunk was returned.
    package var isComplete: Bool { chunks.isEmpty }

    /// Whether a frame with more of the bytes has to come.
    var awaitsFrame: Bool { !frames.isAtEnd }

    /// Records the beginning of a frame; false if it is not the next one.
    mutating func begin(_ header: DataHeader) -> Bool { frames.pass(offset: header.offset, length: header.length) }

    /// Takes the next bytes and returns the chunks that they complete.
    ///
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/unexpectedFrame`` if more bytes come than were asked for.
    package mutating func gather(_ buffers: [ByteBuffer]) throws(ProtocolError) -> [GatheredChunk] {
        var gathered = takeWhole()
        for var buffer in buffers {
            while buffer.readableBytes > 0 {
                guard let chunk = chunks.last,
                    // Copied: a slice would keep alive the whole buffer that it was read into.
                    let piece = buffer.readSlice(length: min(chunk.missingCount, buffer.readableBytes))
                else { throw .unrequestedData }
                chunks[chunks.count - 1].bytes.writeImmutableBuffer(piece)
                gathered += takeWhole()
            }
        }
        return gathered
    }

    /// Takes the chunks for which no bytes are missing.
    mutating func takeWhole() -> [GatheredChunk] {
        var whole: [GatheredChunk] = []
        while let chunk = chunks.last, chunk.missingCount == 0 {
            whole.append(chunk)
            chunks.removeLast()
        }
        return whole
    }
}
