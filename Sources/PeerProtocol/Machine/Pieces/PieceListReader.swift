package import NIOCore

extension PieceList {
    /// The numbers before the digests of a list.
    struct Prefix {
        static let byteCount = 20

        /// The position after the last covered chunk.
        var end: Int
        var pieceCount: Int
        var structureLength: Int
        var storedStructureLength: Int
        var skeletonLength: Int
    }

    /// Reads a list.
    ///
    /// - Throws: ``ProtocolError`` with ``ProtocolError/Code/invalidFrame`` if it breaks a rule.
    package init(
        reading bytes: ByteBuffer,
        query: ChunkRuns,
        layout: ChunkLayout,
        limits: ProtocolLimits = .standard
    ) throws(ProtocolError) {
        var bytes = bytes
        guard let prefix = bytes.readPrefix(limits), let chunks = query.prefix(until: prefix.end) else {
            throw Self.unreadable
        }
        var digests: [PieceDigest] = []
        digests.reserveCapacity(prefix.pieceCount)
        for _ in 0..<prefix.pieceCount {
            guard let bits = bytes.readInteger(as: UInt64.self) else { throw Self.unreadable }
            digests.append(PieceDigest(bits: bits))
        }
        guard
            let structure = bytes.readSlice(length: prefix.storedStructureLength)?
                .inflated(to: prefix.structureLength), let skeleton = bytes.inflated(to: prefix.skeletonLength)
        else { throw Self.unreadable }
        var reader = StructureReader(
            structure,
            areas: chunks.joined.ranges.map { layout.byteRange(of: $0) },
            pieceCount: prefix.pieceCount
        )
        guard reader.readRuns(), reader.readKeys(),
            UInt64(prefix.skeletonLength) + reader.byteCount == chunks.byteCount(in: layout)
        else { throw Self.unreadable }
        self.init(
            chunks: chunks,
            digests: digests,
            keys: reader.keys,
            runs: reader.runs,
            shape: reader.shape,
            layout: layout,
            skeleton: reader.restoringPointers(in: skeleton)
        )
    }

    /// Returns how many bytes of a list are content of the resource: the skeleton, as it was transferred.
    package static func contentLength(of list: ByteBuffer) -> Int {
        var rest = list
        guard let prefix = rest.readPrefix(.standard), prefix.skeletonLength > 0 else { return 0 }
        return max(0, rest.readableBytes - 8 * prefix.pieceCount - prefix.storedStructureLength)
    }

    private static let unreadable = ProtocolError(
        .invalidFrame,
        "The other side sent a list of pieces that cannot be read."
    )
}

extension ByteBuffer {
    fileprivate mutating func readPrefix(_ limits: ProtocolLimits) -> PieceList.Prefix? {
        guard
            let (end, pieces, structure, stored, skeleton) = readMultipleIntegers(
                as: (UInt32, UInt32, UInt32, UInt32, UInt32).self
            ),
            pieces <= limits.maximumPieceCount, structure <= PieceList.maximumStructureLength,
            skeleton <= PieceList.maximumSkeletonLength
        else { return nil }
        return PieceList.Prefix(
            end: Int(end),
            pieceCount: Int(pieces),
            structureLength: Int(structure),
            storedStructureLength: Int(stored),
            skeletonLength: Int(skeleton)
        )
    }
}

extension ChunkRuns {
    /// Returns the chunks before a position; nil unless the last of them is the one before it.
    func prefix(until end: Int) -> ChunkRuns? {
        let runs = ranges.filter { $0.lowerBound < end }.map { $0.lowerBound..<Swift.min($0.upperBound, end) }
        guard runs.last?.upperBound == end else { return nil }
        return ChunkRuns(unchecked: runs)
    }
}

/// Reads where pieces lie, and their keys.
private struct StructureReader {
    private var bytes: ByteBuffer
    private let allAreas: [Range<UInt64>]
    private var areas: ArraySlice<Range<UInt64>>
    private let pieceCount: Int
    private(set) var shape = PageShape.none
    private(set) var runs: [PieceList.Run] = []
    private(set) var keys: [(piece: Int, key: UInt64)] = []
    /// The number of bytes in all runs.
    private(set) var byteCount: UInt64 = 0

    init(_ bytes: ByteBuffer, areas: [Range<UInt64>], pieceCount: Int) {
        self.bytes = bytes
        self.allAreas = areas
        self.areas = areas[...]
        self.pieceCount = pieceCount
    }

    mutating func readRuns() -> Bool {
        guard let pageLength = bytes.readVarint(), let usableLength = bytes.readVarint(),
            let shape = PageShape(pageLength: pageLength, usableLength: usableLength),
            let count = bytes.readVarint(), count <= PieceList.maximumRunCount
        else { return false }
        self.shape = shape
        // Where the span of each piece that was read last ended in the piece.
        var ends: [UInt64] = []
        var position: UInt64 = 0
        for _ in 0..<count {
            guard let gap = bytes.readVarint(), let length = bytes.readVarint(), let back = bytes.readVarint(),
                let place = bytes.readVarint(), gap <= ChunkLayout.maximumSize,
                (1...PieceList.maximumPieceLength).contains(length),
                back <= ends.count, place <= PieceList.maximumPieceLength
            else { return false }
            if back == 0 { ends.append(0) }
            let piece = back == 0 ? ends.count - 1 : ends.count - Int(back)
            let start = place == 0 ? ends[piece] : place - 1
            guard ends.count <= pieceCount, start + length <= PieceList.maximumPieceLength,
                let end = readSpan(shape, from: position + gap, length, piece, start)
            else { return false }
            ends[piece] = start + length
            position = end
        }
        return ends.count == pieceCount
    }

    /// Notes the runs of a span; returns where it ends, or nil if it does not lie inside the chunks.
    private mutating func readSpan(
        _ shape: PageShape,
        from offset: UInt64,
        _ length: UInt64,
        _ piece: Int,
        _ pieceOffset: UInt64
    ) -> UInt64? {
        while let area = areas.first, area.upperBound <= offset { areas.removeFirst() }
        guard let area = areas.first, area.lowerBound <= offset else { return nil }
        var (position, left, place) = (offset, length, pieceOffset)
        while left > 0 {
            guard runs.count < PieceList.maximumRunCount else { return nil }
            let run = shape.run(from: position, length: left)
            guard run.upperBound <= area.upperBound else { return nil }
            runs.append(
                PieceList.Run(
                    offset: run.lowerBound,
                    length: UInt32(run.count),
                    piece: UInt32(piece),
                    pieceOffset: UInt32(place)
                )
            )
            position = run.upperBound
            left -= UInt64(run.count)
            place += UInt64(run.count)
        }
        byteCount += length
        return position
    }

    /// Returns the skeleton with the numbers that chain pages, which a list stores in another form.
    func restoringPointers(in skeleton: ByteBuffer) -> ByteBuffer {
        var (skeleton, areas) = (skeleton, allAreas[...])
        // The bytes of the areas before the first one, and the bytes of the runs before.
        var (covered, inPieces): (UInt64, UInt64) = (0, 0)
        for run in runs {
            while let area = areas.first, area.upperBound <= run.offset {
                covered += UInt64(area.count)
                areas.removeFirst()
            }
            guard let area = areas.first else { break }
            let place = covered + (run.offset - area.lowerBound) - inPieces
            inPieces += UInt64(run.length)
            guard let pointer = shape.pointer(before: run.offset),
                run.offset - area.lowerBound >= PageShape.pointerLength,
                place >= PageShape.pointerLength
            else { continue }
            let index = skeleton.readerIndex + Int(place - PageShape.pointerLength)
            guard let stored = skeleton.getInteger(at: index, as: UInt32.self) else { continue }
            skeleton.setInteger(pointer.number(stored: stored), at: index)
        }
        return skeleton
    }

    mutating func readKeys() -> Bool {
        var last: UInt64 = 0
        for piece in 0..<pieceCount {
            guard let count = bytes.readVarint(), count <= PieceList.maximumKeyCount - keys.count else { return false }
            for _ in 0..<count {
                guard let step = bytes.readVarint() else { return false }
                // Even numbers go up, odd ones down.
                let half = step >> 1
                let key = step & 1 == 0 ? last &+ half : last &- half &- 1
                guard key < PieceList.keyBound else { return false }
                keys.append((piece, key))
                last = key
            }
        }
        return bytes.readableBytes == 0
    }
}
