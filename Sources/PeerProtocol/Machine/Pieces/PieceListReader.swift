package import NIOCore

extension PieceList {
    /// The numbers before the digests of a list.
    struct Prefix {
        static let byteCount = 20

        /// The chunk behind the last covered one.
        var end: Int
        var pieceCount: Int
        var structureLength: Int
        var storedStructureLength: Int
        var skeletonLength: Int
    }

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - bytes: The whole list.
    ///   - query: The chunks that were queried.
    ///   - layout: The layout of the resource.
    ///   - limits: The bounds of the list.
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

/// Which bytes of a page can belong to pieces: all but the first four, and those behind the usable ones.
///
/// The first four bytes of a page of SQLite that continues a long value are the number of the next page. So a value on pages that
/// lie one after the other is one span.
package struct PageShape: Hashable, Sendable {
    /// The length of a page; 0 if there are no pages.
    package let pageLength: UInt64
    /// How many bytes of it are usable.
    package let usableLength: UInt64

    /// No pages: all bytes can belong to pieces.
    package static let none = PageShape(unchecked: 0, 0)

    /// The number of bytes at the start of a page that belong to no piece.
    package static let pointerLength: UInt64 = 4

    /// Creates a shape; nil if no database has such pages.
    package init?(pageLength: UInt64, usableLength: UInt64) {
        guard pageLength > 0 else {
            guard usableLength == 0 else { return nil }
            self = .none
            return
        }
        guard (512...65_536).contains(pageLength), pageLength & (pageLength - 1) == 0,
            (480...pageLength).contains(usableLength)
        else { return nil }
        self.init(unchecked: pageLength, usableLength)
    }

    private init(unchecked pageLength: UInt64, _ usableLength: UInt64) {
        self.pageLength = pageLength
        self.usableLength = usableLength
    }

    /// Returns the first position, from one on, that can belong to a piece.
    package func next(from offset: UInt64) -> UInt64 {
        guard pageLength > 0 else { return offset }
        let inPage = offset & (pageLength - 1)
        if inPage < Self.pointerLength { return offset - inPage + Self.pointerLength }
        return inPage < usableLength ? offset : offset - inPage + pageLength + Self.pointerLength
    }

    /// Returns how the number before a run is stored; nil if the run does not begin behind the first bytes of a page.
    func pointer(before offset: UInt64) -> PagePointer? {
        guard pageLength > 0, offset & (pageLength - 1) == Self.pointerLength else { return nil }
        // Pages count from 1.
        return PagePointer(next: UInt32(truncatingIfNeeded: offset / pageLength + 2))
    }

    /// Returns the first bytes of a span that lie one after the other.
    package func run(from offset: UInt64, length: UInt64) -> Range<UInt64> {
        let start = next(from: offset)
        guard pageLength > 0 else { return start..<start + length }
        return start..<min(start + length, start - (start & (pageLength - 1)) + usableLength)
    }
}

/// The number at the start of a page: mostly that of the next page, or 0 if none follows.
///
/// It is stored as the difference to the number of the next page, and 0 as 1, so that both can be compressed. One more than the
/// number of the next page takes the place of 0.
struct PagePointer {
    /// The number of the next page.
    let next: UInt32

    /// Returns how a number is stored.
    func stored(number: UInt32) -> UInt32 {
        if number == 0 { return 1 }
        return number &- next == 1 ? 0 &- next : number &- next
    }

    /// Returns the number that is stored so.
    func number(stored: UInt32) -> UInt32 {
        if stored == 1 { return 0 }
        return stored &+ next == 0 ? next &+ 1 : stored &+ next
    }
}
