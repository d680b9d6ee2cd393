import Crypto
import Foundation
import PeerProtocol
import PeerTestSupport
import Testing

/// A stream that is sealed piece by piece.
@Suite struct SealedStreamTests {
    private static let key = SymmetricKey(data: [UInt8](repeating: 7, count: SealedStream.keyLength))
    private static let header = Array("header".utf8)

    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        let starts = stride(from: 0, to: max(1, bytes.count), by: SealedStream.pieceLength)
        return starts.map { Array(bytes[$0..<min($0 + SealedStream.pieceLength, bytes.count)]) }
    }

    private static func sealed(_ bytes: [UInt8], key: SymmetricKey = key) throws -> [[UInt8]] {
        var stream = SealedStream(key: key, header: header)
        let pieces = pieces(bytes)
        return try pieces.enumerated().map { try stream.seal($1, isLast: $0 == pieces.count - 1) }
    }

    private static func opened(
        _ sealed: [[UInt8]],
        key: SymmetricKey = key,
        header: [UInt8] = header
    ) throws -> [UInt8] {
        var stream = SealedStream(key: key, header: header)
        return try sealed.enumerated().flatMap { try stream.open($1, isLast: $0 == sealed.count - 1) }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) func whatIsSealedIsOpened(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = generator.bytes(count)
        let sealed = try Self.sealed(bytes)
        #expect(sealed.allSatisfy { $0.count <= SealedStream.sealedLength })
        #expect(try Self.opened(sealed) == bytes)
        #expect(throws: ProtocolError.self) { try Self.opened(sealed, header: []) }
        let other = SymmetricKey(data: [UInt8](repeating: 8, count: SealedStream.keyLength))
        #expect(throws: ProtocolError.self) { try Self.opened(sealed, key: other) }
    }

    @Test func piecesThatAreMissingSwappedOrRepeatedAreNoticed() throws {
        var generator = SeededGenerator(seed: 1)
        // Three whole pieces, so that each may stand at the end.
        let sealed = try Self.sealed(generator.bytes(3 * SealedStream.pieceLength))
        #expect(sealed.count == 3)
        for wrong in [[0], [0, 1], [0, 2], [1, 2], [0, 2, 1], [1, 0, 2], [0, 0, 1, 2], [0, 1, 2, 2], [2]] {
            #expect(throws: ProtocolError.self) { try Self.opened(wrong.map { sealed[$0] }) }
        }
        // A piece of another stream with the same key is none of this one, unless it has its place.
        let other = try Self.sealed(generator.bytes(2 * SealedStream.pieceLength))
        #expect(throws: ProtocolError.self) { try Self.opened([sealed[0], sealed[1], other[1]]) }
    }

    @Test func changedBytesAreNoticed() throws {
        let sealed = try Self.sealed(Array("Coma Pedrosa".utf8))
        for index in sealed[0].indices {
            var changed = sealed
            changed[0][index] ^= 1
            #expect(throws: ProtocolError.self) { try Self.opened(changed) }
        }
        for count in sealed[0].indices {
            #expect(throws: ProtocolError.self) { try Self.opened([Array(sealed[0].prefix(count))]) }
        }
    }

    @Test func nothingFollowsTheLastPiece() throws {
        var stream = SealedStream(key: Self.key, header: Self.header)
        _ = try stream.seal([1], isLast: true)
        #expect(throws: ProtocolError.self) { try stream.seal([2], isLast: true) }
        #expect(throws: ProtocolError.self) {
            var short = SealedStream(key: Self.key, header: Self.header)
            _ = try short.seal([1], isLast: false)
        }
    }
}
