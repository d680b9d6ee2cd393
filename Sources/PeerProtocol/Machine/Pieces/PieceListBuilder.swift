package import NIOCore

/// Makes the list of pieces of chunks.
///
/// Where no index knows pieces, and where bytes that belong to none cannot be compressed, pages are the pieces.
package struct PieceListBuilder {
    /// The length of a list that is not made longer, in bytes: much less than it may have.
    private static let fullLength = 768 * 1024
    /// How many bytes are read at a time.
    private static let windowLength: UInt64 = 1 << 20
    /// The shortest span that is worth a digest, in bytes.
    private static let minimumLength: UInt32 = 64

    private let layout: ChunkLayout
    private let shape: PageShape
    private let spans: ((Range<UInt64>) throws -> [PieceSpan])?
    private let maximumPieceCount: Int
    private var chunkEnd = 0
    private var digests: [PieceDigest] = []
    private var numbers: [PieceDigest: Int] = [:]
    private var keys: [[UInt64]] = []
    private var keyCount = 0
    private var written: [WrittenSpan] = []
    private var runCount = 0
    private var skeletonLength = 0
    private let skeleton = Deflater()

    private struct WrittenSpan {
        var offset: UInt64
        var end: UInt64
        var length: UInt64
        var piece: Int
        var pieceOffset: UInt64
    }

    /// Bytes of a piece in one chunk, one after the other.
    private struct Found {
        var range: Range<UInt64>
        var pieceOffset: UInt64
        var digest: PieceDigest
        var key: UInt64?
    }

    private init(
        _ layout: ChunkLayout,
        _ shape: PageShape,
        _ spans: ((Range<UInt64>) throws -> [PieceSpan])?,
        _ limits: ProtocolLimits
    ) {
        self.layout = layout
        self.shape = shape
        self.spans = spans
        self.maximumPieceCount = min(limits.maximumPieceCount, 1 << 20)
    }

    /// Makes a list of the first of some chunks, as long as a list may be.
    ///
    /// - `chunks`: The chunks; not none.
    /// - `spans`: Returns the spans that lie in a range of bytes or reach into it, in order; nil if there is no index.
    /// - Returns: The list, and the position after the last chunk that it covers; nil if there is not enough memory.
    /// - Throws: What the functions throw.
    package static func list(
        of chunks: ChunkRuns,
        layout: ChunkLayout,
        shape: PageShape = .none,
        spans: ((Range<UInt64>) throws -> [PieceSpan])? = nil,
        limits: ProtocolLimits = .standard,
        read: (Range<UInt64>) throws -> ByteBuffer
    ) throws -> (bytes: ByteBuffer, end: Int)? {
        var builder = PieceListBuilder(layout, spans == nil ? .none : shape, spans, limits)
        let windowCount = max(1, Int(windowLength / layout.chunkLength))
        filling: for run in chunks.ranges {
            for first in stride(from: run.lowerBound, to: run.upperBound, by: windowCount) {
                let window = first..<min(run.upperBound, first + windowCount)
                let bytes = layout.byteRange(of: window)
                let content = try read(bytes)
                let spans = try spans?(bytes) ?? []
                guard content.readableBytes == bytes.count else { return nil }
                for chunk in window where try !builder.add(chunk, content, from: bytes.lowerBound, spans) {
                    break filling
                }
            }
        }
        return builder.finish()
    }

    /// Adds a chunk; false if there is no more room for one.
    private mutating func add(
        _ chunk: Int,
        _ window: ByteBuffer,
        from start: UInt64,
        _ spans: [PieceSpan]
    ) throws -> Bool {
        let range = layout.byteRange(of: chunk..<chunk + 1)
        return window.withUnsafeReadableBytes { all in
            let first = Int(range.lowerBound - start)
            let bytes = UnsafeRawBufferPointer(rebasing: all[first..<first + range.count])
            let known = self.spans == nil ? pages(in: bytes, range) : found(spans, bytes, range)
            guard chunkEnd == 0 || hasRoom(for: known, range) else { return false }
            var position = range.lowerBound
            for run in known.prefix(min(PieceList.maximumRunCount, maximumPieceCount)) {
                guard
                    addSkeleton(position..<run.range.lowerBound, bytes, range.lowerBound, before: run.range.lowerBound)
                else { return false }
                add(run)
                position = run.range.upperBound
            }
            guard addSkeleton(position..<range.upperBound, bytes, range.lowerBound) else { return false }
            chunkEnd = chunk + 1
            return true
        }
    }

    private func hasRoom(for known: [Found], _ range: Range<UInt64>) -> Bool {
        let inPieces = known.reduce(0) { $0 + $1.range.count }
        return runCount + known.count <= PieceList.maximumRunCount && digests.count + known.count <= maximumPieceCount
            && keyCount + known.count <= PieceList.maximumKeyCount
            && skeletonLength + range.count - inPieces <= PieceList.maximumSkeletonLength
            && skeleton.output.readableBytes + PieceDigest.byteCount * digests.count < Self.fullLength
    }

    /// Every page is a piece.
    private func pages(in bytes: UnsafeRawBufferPointer, _ range: Range<UInt64>) -> [Found] {
        stride(from: 0, to: bytes.count, by: Int(ChunkLayout.pageLength)).map { start in
            let end = min(bytes.count, start + Int(ChunkLayout.pageLength))
            let page = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            return Found(
                range: range.lowerBound + UInt64(start)..<range.lowerBound + UInt64(end),
                pieceOffset: 0,
                digest: PieceDigest(hashing: page)
            )
        }
    }

    /// The parts of spans in a chunk, and pages between them that cannot be compressed.
    private func found(_ spans: [PieceSpan], _ bytes: UnsafeRawBufferPointer, _ range: Range<UInt64>) -> [Found] {
        var known: [Found] = []
        var end = range.lowerBound
        var index = spans.firstIndexOfSpan(behind: range.lowerBound)
        while index < spans.count, spans[index].offset < range.upperBound {
            let span = spans[index]
            index += 1
            // An index may be damaged. What would break a rule is left out, and belongs to the skeleton.
            guard span.length >= Self.minimumLength,
                UInt64(span.pieceOffset) + UInt64(span.length) <= PieceList.maximumPieceLength,
                shape.next(from: span.offset) == span.offset
            else { continue }
            var (position, left, place) = (span.offset, UInt64(span.length), UInt64(span.pieceOffset))
            var isFirst = true
            while left > 0, position < range.upperBound {
                let run = shape.run(from: position, length: left)
                let part = run.clamped(to: range)
                if !part.isEmpty {
                    // The first run may be a later part of a span that began in a chunk before.
                    guard part.lowerBound >= end else { break }
                    if isFirst { known += incompressiblePages(end..<part.lowerBound, bytes, range.lowerBound) }
                    isFirst = false
                    let key = span.pieceOffset == 0 ? span.key : nil
                    let pieceOffset = place + (part.lowerBound - run.lowerBound)
                    known.append(Found(range: part, pieceOffset: pieceOffset, digest: span.digest, key: key))
                    end = part.upperBound
                }
                position = run.upperBound
                left -= UInt64(run.count)
                place += UInt64(run.count)
            }
        }
        return known + incompressiblePages(end..<range.upperBound, bytes, range.lowerBound)
    }

    /// Free pages may have the bytes of removed tiles, and an older version has the same.
    private func incompressiblePages(
        _ gap: Range<UInt64>,
        _ bytes: UnsafeRawBufferPointer,
        _ start: UInt64
    ) -> [Found] {
        guard shape.pageLength > 0, UInt64(gap.count) >= shape.pageLength else { return [] }
        let first = (gap.lowerBound + shape.pageLength - 1) / shape.pageLength * shape.pageLength
        guard first + shape.pageLength <= gap.upperBound else { return [] }
        var known: [Found] = []
        for page in stride(from: first, through: gap.upperBound - shape.pageLength, by: Int(shape.pageLength)) {
            let range = page + PageShape.pointerLength..<page + shape.usableLength
            let slice = UnsafeRawBufferPointer(
                rebasing: bytes[Int(range.lowerBound - start)..<Int(range.upperBound - start)]
            )
            guard let length = Deflater.length(of: slice), length > slice.count / 4 * 3 else { continue }
            known.append(Found(range: range, pieceOffset: 0, digest: PieceDigest(hashing: slice)))
        }
        return known
    }

    private mutating func add(_ run: Found) {
        runCount += 1
        let piece: Int
        if let number = numbers[run.digest] {
            piece = number
        } else {
            piece = digests.count
            numbers[run.digest] = piece
            digests.append(run.digest)
            keys.append([])
        }
        if let key = run.key, key < PieceList.keyBound, run.pieceOffset == 0 {
            keys[piece].append(key)
            keyCount += 1
        }
        if let last = written.last, last.piece == piece, last.pieceOffset + last.length == run.pieceOffset,
            last.length + UInt64(run.range.count) <= PieceList.maximumPieceLength,
            shape.next(from: last.end) == run.range.lowerBound
        {
            written[written.count - 1].length += UInt64(run.range.count)
            written[written.count - 1].end = run.range.upperBound
        } else {
            written.append(
                WrittenSpan(
                    offset: run.range.lowerBound,
                    end: run.range.upperBound,
                    length: UInt64(run.range.count),
                    piece: piece,
                    pieceOffset: run.pieceOffset
                )
            )
        }
    }

    private mutating func addSkeleton(
        _ range: Range<UInt64>,
        _ bytes: UnsafeRawBufferPointer,
        _ start: UInt64,
        before run: UInt64? = nil
    ) -> Bool {
        guard !range.isEmpty else { return true }
        skeletonLength += range.count
        let own = UnsafeRawBufferPointer(
            rebasing: bytes[Int(range.lowerBound - start)..<Int(range.upperBound - start)]
        )
        let pointerLength = Int(PageShape.pointerLength)
        guard let pointer = run.flatMap(shape.pointer), own.count >= pointerLength else { return skeleton.add(own) }
        let rest = own.count - pointerLength
        let number = UInt32(bigEndian: own.loadUnaligned(fromByteOffset: rest, as: UInt32.self))
        return skeleton.add(UnsafeRawBufferPointer(rebasing: own[..<rest]))
            && withUnsafeBytes(of: pointer.stored(number: number).bigEndian) { skeleton.add($0) }
    }

    private func finish() -> (bytes: ByteBuffer, end: Int)? {
        var structure = ByteBuffer()
        structure.writeVarint(shape.pageLength)
        structure.writeVarint(shape.usableLength)
        structure.writeVarint(UInt64(written.count))
        var (position, count): (UInt64, Int) = (0, 0)
        var ends = [UInt64](repeating: 0, count: digests.count)
        for span in written {
            structure.writeVarint(span.offset - position)
            structure.writeVarint(span.length)
            structure.writeVarint(span.piece == count ? 0 : UInt64(count - span.piece))
            structure.writeVarint(span.pieceOffset == ends[span.piece] ? 0 : span.pieceOffset + 1)
            if span.piece == count { count += 1 }
            ends[span.piece] = span.pieceOffset + span.length
            position = span.end
        }
        var last: UInt64 = 0
        for keys in keys {
            structure.writeVarint(UInt64(keys.count))
            for key in keys {
                structure.writeVarint(key >= last ? (key - last) << 1 : (last - key - 1) << 1 | 1)
                last = key
            }
        }
        let deflater = Deflater()
        guard chunkEnd > 0, structure.withUnsafeReadableBytes({ deflater.add($0) }), deflater.finish(),
            skeleton.finish()
        else { return nil }
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(
            UInt32(truncatingIfNeeded: chunkEnd),
            UInt32(truncatingIfNeeded: digests.count),
            UInt32(truncatingIfNeeded: structure.readableBytes),
            UInt32(truncatingIfNeeded: deflater.output.readableBytes),
            UInt32(truncatingIfNeeded: skeletonLength)
        )
        for digest in digests { bytes.writeInteger(digest.bits) }
        bytes.writeImmutableBuffer(deflater.output)
        bytes.writeImmutableBuffer(skeleton.output)
        return (bytes, chunkEnd)
    }
}
