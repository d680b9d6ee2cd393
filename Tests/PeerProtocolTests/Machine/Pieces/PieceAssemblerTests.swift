import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct PieceAssemblerTests {
    static let older: [UInt8] = {
        var bytes = Sample.tiles.bytes
        for page in [1, 2, 9] { bytes[page * 4096] ^= 1 }
        return bytes
    }()

    static func assembler(_ missing: ByteRuns, chunks: Range<Int>...) throws -> PieceAssembler {
        let layout = Sample.tiles.layout
        return PieceAssembler(
            layout: layout,
            digests: Sample.tiles.digests,
            chunks: try #require(layout.runs(validating: chunks)),
            missing: missing
        )
    }

    static func bytes(_ range: Range<UInt64>, of bytes: [UInt8] = older) -> ByteBuffer {
        ByteBuffer(bytes: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    static func pages(_ pages: Range<Int>) -> ByteBuffer {
        bytes(UInt64(pages.lowerBound) * 4096..<min(40_000, UInt64(pages.upperBound) * 4096), of: Sample.tiles.bytes)
    }

    @Test func putsChunksTogether() throws {
        var assembler = try Self.assembler(Sample.tiles.pages(1..<3, 9..<10), chunks: 0..<3)
        #expect(!assembler.isComplete)
        #expect(try assembler.gather([]).isEmpty)
        let first = try assembler.gather([Self.pages(1..<3)])
        // Of the second chunk nothing is awaited, so it comes along.
        #expect(first.map(\.position) == [0, 1])
        #expect(first.map(\.arrivedCount) == [8192, 0])
        let last = try assembler.gather([Self.pages(9..<10)])
        #expect(last.map(\.position) == [2])
        #expect(assembler.isComplete)
        for chunk in first + last {
            let bytes = try #require(chunk.assembled(with: Self.bytes(chunk.byteRange)))
            #expect(Array(bytes.readableBytesView) == Array(Sample.tiles.bytes(in: chunk.byteRange)))
        }
    }

    @Test func aRunOfPagesMayReachIntoTheNextChunk() throws {
        var assembler = try Self.assembler(Sample.tiles.pages(3..<6), chunks: 0..<2)
        let chunks = try assembler.gather([Self.pages(3..<6)])
        #expect(chunks.map(\.arrivedCount) == [4096, 8192])
        #expect(assembler.isComplete)
    }

    @Test func whatDoesNotMatchIsNotPutTogether() throws {
        var assembler = try Self.assembler(Sample.tiles.pages(1..<2), chunks: 0..<1)
        let chunk = try #require(try assembler.gather([Self.pages(1..<2)]).first)
        // The third page is the older one.
        #expect(chunk.assembled(with: Self.bytes(chunk.byteRange)) == nil)
        #expect(chunk.assembled(with: ByteBuffer()) == nil)
        #expect(chunk.assembled(with: Self.bytes(chunk.byteRange, of: Sample.tiles.bytes)) != nil)
    }

    @Test func refusesMoreThanWasAskedFor() throws {
        var assembler = try Self.assembler(Sample.tiles.pages(1..<2), chunks: 0..<1)
        let error = #expect(throws: ProtocolError.self) {
            try assembler.gather([Self.pages(1..<2), ByteBuffer(bytes: [0])])
        }
        #expect(error?.code == .unexpectedFrame)
    }

    @Test func takesCrumbs() throws {
        var assembler = try Self.assembler(Sample.tiles.pages(9..<10), chunks: 2..<3)
        var gathered: [PieceAssembler.GatheredChunk] = []
        for byte in Self.pages(9..<10).readableBytesView {
            #expect(gathered.isEmpty)
            gathered += try assembler.gather([ByteBuffer(bytes: [byte])])
        }
        #expect(gathered.map(\.arrivedCount) == [3136])
        #expect(gathered.first?.assembled(with: Self.bytes(32_768..<40_000)) != nil)
    }
}
