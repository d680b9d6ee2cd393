import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// Lists of pieces that lie: each ends the transfer before anything is done with it.
@Suite struct HostilePieceListTests {
    /// A list whose parts say what a test wants.
    struct Lie: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var end: UInt32 = 3
        var pieceCount: UInt32 = 1
        /// The numbers of the structure; by default one piece at the start of the last chunk.
        var numbers: [UInt64] = [0, 0, 1, 32_768, 4096, 0, 0, 0]
        var structureLength: UInt32?
        var skeletonLength: UInt32 = 3136
        var skeletonContent = 3136
        var trailing: [UInt8] = []

        init(_ description: String, _ change: (inout Lie) -> Void) {
            testDescription = description
            change(&self)
        }

        func bytes() -> ByteBuffer {
            var structure = ByteBuffer()
            for number in numbers { structure.writeNumber(number) }
            let stored = Deflate.compress(Array(structure.readableBytesView), as: .zlib, level: 6) ?? []
            var bytes = ByteBuffer()
            bytes.writeMultipleIntegers(
                end,
                pieceCount,
                structureLength ?? UInt32(structure.readableBytes),
                UInt32(stored.count),
                skeletonLength
            )
            for piece in 0..<min(pieceCount, 20_000) { bytes.writeInteger(UInt64(piece)) }
            bytes.writeBytes(stored)
            let skeleton = [UInt8](repeating: 0, count: skeletonContent)
            bytes.writeBytes(Deflate.compress(skeleton, as: .zlib, level: 6) ?? [])
            bytes.writeBytes(trailing)
            return bytes
        }
    }

    private static func read(_ bytes: ByteBuffer) throws(ProtocolError) -> PieceList {
        guard let query = Sample.tiles.layout.runs(validating: [0..<1, 2..<3]) else {
            throw ProtocolError(.limitExceeded, "no query")
        }
        return try PieceList(reading: bytes, query: query, layout: Sample.tiles.layout)
    }

    @Test func theListWithoutALieIsRead() throws {
        // Chunk 0 belongs to the skeleton.
        let list = try Self.read(Lie("") { ($0.skeletonLength, $0.skeletonContent) = (19_520, 19_520) }.bytes())
        #expect(list.runs.map(\.byteRange) == [32_768..<36_864])
    }

    static let lies: [Lie] = [
        Lie("does not add up") { _ in },
        Lie("covers no chunk") { $0.end = 0 },
        Lie("ends between two runs of the query") { $0.end = 2 },
        Lie("ends behind the query") { $0.end = 4 },
        Lie("ends behind everything") { $0.end = .max },
        Lie("lies in a chunk that was not queried") { $0.numbers[3] = 16_384 },
        Lie("reaches into a chunk that was not queried") { $0.numbers[3] = 14_000 },
        Lie("lies behind the end") { $0.numbers[3] = 40_000 },
        Lie("reaches behind the end") { $0.numbers[4] = 7233 },
        Lie("lies far behind the end") { $0.numbers[3] = 1 << 62 },
        Lie("has no length") { $0.numbers[4] = 0 },
        Lie("is longer than the file") { $0.numbers[4] = 1 << 20 },
        Lie("is longer than a piece may be") { $0.numbers[4] = 8 << 20 + 1 },
        Lie("begins behind what a piece may have") { $0.numbers[6] = 8 << 20 },
        Lie("names a piece before the first") { $0.numbers[5] = 1 },
        Lie("names a piece far before the first") { $0.numbers[5] = 1 << 62 },
        Lie("has a digest without a span") { $0.pieceCount = 2 },
        Lie("has a span without a digest") { $0.pieceCount = 0 },
        Lie("has more digests than allowed") { $0.pieceCount = 16_385 },
        Lie("has more digests than bytes") { $0.pieceCount = .max },
        Lie("has more spans than it says") { $0.numbers[2] = 0 },
        Lie("has fewer spans than it says") { $0.numbers[2] = 2 },
        Lie("has more spans than allowed") { $0.numbers[2] = 65_537 },
        Lie("has pages of an odd length") { ($0.numbers[0], $0.numbers[1]) = (1000, 1000) },
        Lie("has longer pages than there are") { ($0.numbers[0], $0.numbers[1]) = (1 << 17, 1 << 17) },
        Lie("has pages that cannot be used") { ($0.numbers[0], $0.numbers[1]) = (4096, 479) },
        Lie("has pages with more than there is") { ($0.numbers[0], $0.numbers[1]) = (4096, 4097) },
        Lie("has usable bytes without pages") { $0.numbers[1] = 4096 },
        Lie("has a key that is missing") { $0.numbers[7] = 1 },
        Lie("has more keys than allowed") { $0.numbers[7] = 65_537 },
        Lie("has a key that is too large") {
            $0.numbers += [1 << 63 - 1]
            $0.numbers[7] = 1
        },
        Lie("has a key below 0") {
            $0.numbers += [1]
            $0.numbers[7] = 1
        },
        Lie("has something behind the keys") { $0.numbers.append(0) },
        Lie("has a shorter structure than it says") { $0.structureLength = 12 },
        Lie("has a longer structure than it says") { $0.structureLength = 10 },
        Lie("has a longer structure than allowed") { $0.structureLength = 2 << 20 + 1 },
        Lie("has a skeleton that is a bomb") { ($0.skeletonLength, $0.skeletonContent) = (3136, 4 << 20) },
        Lie("has a skeleton that is cut short") { $0.skeletonContent = 100 },
        Lie("has a longer skeleton than allowed") { $0.skeletonLength = 4 << 20 + 1 },
        Lie("has something behind the skeleton") { $0.trailing = [0] },
    ]

    @Test(arguments: lies) func isRefused(lie: Lie) {
        let error = #expect(throws: ProtocolError.self) { try Self.read(lie.bytes()) }
        #expect(error?.code == .invalidFrame)
    }

    @Test func spansOnTooManyPagesAreRefused() throws {
        // 8 MiB on pages of 512 bytes are some 16,500 runs for each span.
        let size = 64 << 20
        let layout = try #require(ChunkLayout(size: UInt64(size)))
        let lie = Lie("") { lie in
            let length: UInt64 = 8 << 20
            lie.end = UInt32(layout.chunkCount)
            lie.pieceCount = 5
            lie.numbers = [512, 512, 5] + (0..<5).flatMap { _ in [0, length, 0, 0] as [UInt64] } + [0, 0, 0, 0, 0]
            (lie.skeletonLength, lie.skeletonContent) = (0, 0)
        }
        let error = #expect(throws: ProtocolError.self) {
            try PieceList(reading: lie.bytes(), query: layout.allChunks, layout: layout)
        }
        #expect(error?.code == .invalidFrame)
    }

    @Test func whateverTheBytesAreNothingBreaks() throws {
        var generator = SeededGenerator(seed: 6)
        let whole = Array(try Sample.tiles.pageList(0..<1, 2..<3).bytes.readableBytesView)
        let honest = Array(
            Lie("") { ($0.skeletonLength, $0.skeletonContent) = (19_520, 19_520) }.bytes().readableBytesView
        )
        for round in 0..<5000 {
            var bytes = round % 2 == 0 ? whole : honest
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<min(bytes.count, 80), using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<5, using: &generator) == 0 {
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            }
            guard let list = try? Self.read(ByteBuffer(bytes: bytes)) else { continue }
            for chunk in list.chunks.ranges.joined() { #expect(!list.parts(of: chunk).isEmpty) }
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func writeNumber(_ number: UInt64) {
        var number = number
        while number >= 0x80 {
            writeInteger(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        writeInteger(UInt8(truncatingIfNeeded: number))
    }
}
