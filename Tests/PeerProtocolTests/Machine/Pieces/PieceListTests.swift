import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// Lists of pieces: what a sender makes of a file, a receiver puts together.
@Suite struct PieceListTests {
    /// A file of tiles at random places, on pages of a database, and its index.
    struct TiledFile {
        let resource: SampleResource
        let shape: PageShape
        var spans: [PieceSpan] = []
        var pieces: [PieceDigest: [UInt8]] = [:]

        init(seed: UInt64, size: Int, pageLength: UInt64, usableLength: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            shape = try #require(PageShape(pageLength: pageLength, usableLength: usableLength))
            var bytes = [UInt8](repeating: 7, count: size)
            var position: UInt64 = 0
            var number: UInt64 = 0
            while true {
                let tile = generator.bytes(Int.random(in: 64...9000, using: &generator))
                let digest = tile.withUnsafeBytes { PieceDigest(hashing: $0) }
                position = shape.next(from: position + UInt64.random(in: 0...300, using: &generator))
                // A tile may lie in two parts.
                let cut =
                    Bool.random(using: &generator) ? tile.count : Int.random(in: 64...tile.count, using: &generator)
                var (spans, done): ([PieceSpan], Int) = ([], 0)
                for count in [cut, tile.count - cut] where count > 0 {
                    if done > 0 { position = shape.next(from: position + 40) }
                    spans.append(
                        PieceSpan(
                            offset: position,
                            length: UInt32(count),
                            pieceOffset: UInt32(done),
                            digest: digest,
                            key: number
                        )
                    )
                    let last = done + count
                    while done < last {
                        let run = shape.run(from: position, length: UInt64(last - done))
                        guard run.upperBound <= UInt64(size) else {
                            resource = SampleResource(.mbtiles, bytes)
                            return
                        }
                        bytes.replaceSubrange(
                            Int(run.lowerBound)..<Int(run.upperBound),
                            with: tile[done..<done + run.count]
                        )
                        position = run.upperBound
                        done += run.count
                    }
                }
                self.spans += spans
                pieces[digest] = tile
                number += UInt64.random(in: 1...1000, using: &generator)
            }
        }

        func list(of chunks: ChunkRuns, limits: ProtocolLimits = .standard) throws -> (bytes: ByteBuffer, end: Int) {
            try #require(
                try PieceListBuilder.list(
                    of: chunks,
                    layout: resource.layout,
                    shape: shape,
                    spans: { range in spans.filter { $0.offset < range.upperBound } },
                    limits: limits,
                    read: { ByteBuffer(bytes: resource.bytes(in: $0)) }
                )
            )
        }
    }

    /// Puts a chunk together from a list and the pieces.
    private static func chunk(_ position: Int, _ list: PieceList, _ file: TiledFile) -> [UInt8] {
        let range = file.resource.layout.byteRange(of: position..<position + 1)
        var bytes = ByteBuffer(repeating: 0, count: range.count)
        for part in list.parts(of: position) {
            let place = Int(part.byteRange.lowerBound - range.lowerBound)
            switch part.source {
            case .skeleton(let start):
                list.writeSkeleton(from: start, count: part.byteRange.count, to: &bytes, at: place)
            case .piece(let piece, let start, _):
                if let piece = file.pieces[list.digests[piece]] {
                    bytes.setBytes(piece[start..<start + part.byteRange.count], at: place)
                } else {
                    // A page that belongs to no tile and cannot be compressed.
                    bytes.setBytes(file.resource.bytes(in: part.byteRange), at: place)
                }
            }
        }
        return Array(bytes.readableBytesView)
    }

    @Test(arguments: [0, 512, 4096, 65_536] as [UInt64], 1...6 as ClosedRange<UInt64>)
    func whatIsListedIsPutTogether(pageLength: UInt64, seed: UInt64) throws {
        let usable = pageLength - (seed % 2 == 0 ? min(pageLength, 16) : 0)
        let file = try TiledFile(seed: seed, size: 700_000, pageLength: pageLength, usableLength: usable)
        let layout = file.resource.layout
        var generator = SeededGenerator(seed: seed)
        let chunks = layout.chunks { _ in Int.random(in: 0..<3, using: &generator) > 0 }
        let (bytes, end) = try file.list(of: chunks)
        #expect(end == chunks.ranges.last?.upperBound)
        let list = try PieceList(reading: bytes, query: chunks, layout: layout)
        #expect(list.chunks == chunks && !list.keys.isEmpty)
        // The skeleton is small, so most of the bytes were found.
        #expect(bytes.readableBytes < 60_000)
        for position in chunks.ranges.joined() {
            let range = layout.byteRange(of: position..<position + 1)
            #expect(Self.chunk(position, list, file) == Array(file.resource.bytes(in: range)))
        }
        let missing = list.missing(of: chunks) { _ in false }
        #expect(missing.byteCount <= chunks.byteCount(in: layout))
        #expect(list.missing(of: chunks) { _ in true } == .none)
    }

    @Test(arguments: [1, 5, 40]) func aLongListIsCutIntoSeveral(count: Int) throws {
        let file = try TiledFile(seed: 1, size: 400_000, pageLength: 4096, usableLength: 4096)
        let layout = file.resource.layout
        var limits = ProtocolLimits.standard
        limits.maximumPieceCount = count
        var left = RangeSet(layout.allChunks.ranges)
        var rounds = 0
        while !left.isEmpty {
            let query = try #require(layout.runs(validating: Array(left.ranges)))
            let (bytes, end) = try file.list(of: query, limits: limits)
            let list = try PieceList(reading: bytes, query: query, layout: layout, limits: limits)
            #expect(list.digests.count <= count && list.chunks.ranges.last?.upperBound == end)
            for position in list.chunks.ranges.joined() {
                let range = layout.byteRange(of: position..<position + 1)
                #expect(Self.chunk(position, list, file) == Array(file.resource.bytes(in: range)))
            }
            left.remove(contentsOf: 0..<end)
            rounds += 1
        }
        #expect(rounds > 1)
    }

    @Test func aFileWithoutAnIndexConsistsOfPages() throws {
        let (bytes, end) = try Sample.tiles.pageList(0..<3)
        let list = try PieceList(reading: bytes, query: Sample.tiles.runs(0..<3), layout: Sample.tiles.layout)
        #expect(end == 3 && list.digests.count == 10 && list.runs.count == 10 && list.keys.isEmpty)
    }

    @Test func theExampleOfThePageIsRead() throws {
        let list = try PieceList(
            reading: ByteBuffer(bytes: GoldenFrame.listOfPages),
            query: Sample.tiles.runs(2..<3),
            layout: Sample.tiles.layout
        )
        #expect(list.runs.map(\.byteRange) == [32_768..<36_864, 36_864..<40_000])
        let made = try PieceList(
            reading: Sample.tiles.pageList(2..<3).bytes,
            query: Sample.tiles.runs(2..<3),
            layout: Sample.tiles.layout
        )
        #expect(made.digests == list.digests && made.runs == list.runs)
    }

    /// A damaged index costs a longer skeleton, and never a list that breaks a rule.
    @Test func whateverTheIndexSaysTheListIsLegal() throws {
        let file = try TiledFile(seed: 2, size: 200_000, pageLength: 4096, usableLength: 4096)
        let layout = file.resource.layout
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var broken = file
            for _ in 0..<5 {
                let index = Int.random(in: 0..<broken.spans.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: broken.spans[index].offset = UInt64.random(in: 0...300_000, using: &generator)
                case 1: broken.spans[index].length = UInt32.random(in: 0...20_000_000, using: &generator)
                case 2: broken.spans[index].pieceOffset = UInt32.random(in: 0...UInt32.max, using: &generator)
                default: broken.spans[index].key = UInt64.random(in: 0...UInt64.max, using: &generator)
                }
            }
            let (bytes, _) = try broken.list(of: layout.allChunks)
            _ = try PieceList(reading: bytes, query: layout.allChunks, layout: layout)
        }
    }
}
