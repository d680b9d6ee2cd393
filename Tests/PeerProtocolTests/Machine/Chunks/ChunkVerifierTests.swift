import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct ChunkVerifierTests {
    static let chunk = 16_384

    private func verifier(_ resource: SampleResource, from offset: UInt64 = 0) -> ChunkVerifier {
        var verifier = ChunkVerifier(layout: resource.layout, digests: resource.digests)
        verifier.expectBytes(from: offset)
        return verifier
    }

    private func bytes(_ verified: ChunkVerifier.Verified) -> [UInt8] {
        verified.buffers.flatMap { Array($0.readableBytesView) }
    }

    /// Why these: nothing, one byte, and one less, exactly and one more than a chunk and than several.
    @Test(arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 2 * chunk, 2 * chunk + 1, 10 * chunk + 5])
    func verifiesResourcesOfAllSizes(size: Int) throws {
        var random = SeededGenerator(seed: UInt64(size))
        let resource = SampleResource(.mbtiles, random.bytes(size))
        var verifier = verifier(resource)
        let verified = try verifier.receive([ByteBuffer(bytes: resource.bytes)])
        #expect(verified.flatMap(bytes) == resource.bytes)
        #expect(verified.count == (size == 0 ? 0 : 1))
    }

    @Test(arguments: [0, 1, 2, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 39_999, 40_000])
    func givesOutOnlyWholeChunksWhereverTheBytesAreCut(cut: Int) throws {
        let resource = Sample.tiles
        var verifier = verifier(resource)
        let first = try verifier.receive([ByteBuffer(bytes: resource.bytes[..<cut])])
        let wholeChunks = cut == resource.bytes.count ? cut : cut / Self.chunk * Self.chunk
        #expect(first.flatMap(bytes) == Array(resource.bytes[..<wholeChunks]))
        #expect(first.map(\.byteCount).reduce(0, +) == wholeChunks)
        let second = try verifier.receive([ByteBuffer(bytes: resource.bytes[cut...])])
        #expect(second.flatMap(bytes) == Array(resource.bytes[wholeChunks...]))
        #expect(second.first?.offset ?? UInt64(wholeChunks) == UInt64(wholeChunks))
    }

    @Test(arguments: 0..<10)
    func cutsDoNotMatter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let resource = SampleResource(.mbtiles, random.bytes(100_000))
        var verifier = verifier(resource)
        var result: [UInt64: UInt8] = [:]
        let wanted = [0..<32_768, 65_536..<100_000]
        for range in wanted {
            var position = range.lowerBound
            while position < range.upperBound {
                let end = min(range.upperBound, position + Int.random(in: 1...30_000, using: &random))
                let middle = Int.random(in: position...end, using: &random)
                let pieces = [position..<middle, middle..<end].map { ByteBuffer(bytes: resource.bytes[$0]) }
                verifier.expectBytes(from: UInt64(position))
                for verified in try verifier.receive(pieces) {
                    for (index, byte) in bytes(verified).enumerated() {
                        result[verified.offset + UInt64(index)] = byte
                    }
                }
                position = end
            }
        }
        #expect(result.count == wanted.reduce(0) { $0 + $1.count })
        #expect(result.allSatisfy { resource.bytes[Int($0)] == $1 })
    }

    @Test(arguments: [1, 3, 16, 39, 40, 41])
    func chunksCanBeSplitAndAddedAgain(count: Int) throws {
        var random = SeededGenerator(seed: 7)
        let resource = SampleResource(.mbtiles, random.bytes(40 * Self.chunk + 100))
        var verifier = verifier(resource)
        // Why: the cuts between chunks are not those between buffers.
        let buffers = stride(from: 0, to: resource.bytes.count, by: 50_000).map {
            ByteBuffer(bytes: resource.bytes[$0..<min($0 + 50_000, resource.bytes.count)])
        }
        var first = try #require(verifier.gather(buffers).first)
        #expect(first.bestCount <= 41)
        let whole = first
        let rest = first.split(after: count)
        #expect(first.byteCount == min(count * Self.chunk, resource.bytes.count))
        #expect((rest == nil) == (count == 41))
        var found = try bytes(first.verified())
        if var rest {
            #expect(try rest.verified().offset == UInt64(count * Self.chunk))
            found += try bytes(rest.verified())
            let isAdded = first.append(rest)
            #expect(isAdded && first.byteCount == whole.byteCount)
            #expect(try bytes(first.verified()) == resource.bytes)
            let isAddedInFront = rest.append(first)
            #expect(!isAddedInFront)
        }
        #expect(found == resource.bytes)
    }

    @Test func runsThatAreApartComeOutApart() throws {
        let resource = Sample.tiles
        var verifier = verifier(resource)
        var verified = try verifier.receive([ByteBuffer(bytes: resource.bytes(in: 0..<16_384))])
        verifier.expectBytes(from: 32_768)
        verified += try verifier.receive([ByteBuffer(bytes: resource.bytes(in: 32_768..<40_000))])
        #expect(verified.map(\.offset) == [0, 32_768])
        #expect(verified.map(\.byteCount) == [16_384, 7_232])
    }

    @Test(arguments: [0, 16_383, 16_384, 32_767, 32_768, 39_999])
    func refusesAChunkWithOneWrongByte(position: Int) throws {
        let resource = Sample.tiles
        var verifier = verifier(resource)
        var wrong = resource.bytes
        wrong[position] ^= 0x01
        let error = #expect(throws: ProtocolError.self) { try verifier.receive([ByteBuffer(bytes: wrong)]) }
        #expect(error?.code == .digestMismatch)
        #expect(error?.message.contains("chunk \(position / Self.chunk)") == true)
    }

    /// So many that they are hashed several at a time; the last one is shorter, and one is cut.
    @Test(arguments: [0, 16_384, 199_999, 200_000, 16 * 16_384 - 1, 16 * 16_384, 39 * 16_384, 40 * 16_384])
    func refusesOneWrongByteAmongManyChunks(position: Int) throws {
        var random = SeededGenerator(seed: UInt64(position))
        let resource = SampleResource(.mbtiles, random.bytes(40 * Self.chunk + 1))
        var wrong = resource.bytes
        wrong[position] ^= 0x80
        var verifier = verifier(resource)
        let pieces = [wrong[..<200_000], wrong[200_000...]].map { ByteBuffer(bytes: $0) }
        let error = #expect(throws: ProtocolError.self) { try verifier.receive(pieces) }
        #expect(error?.code == .digestMismatch)
        #expect(error?.message.contains("chunk \(position / Self.chunk))") == true)
    }

    @Test func refusesChunksInAnotherOrder() throws {
        let resource = Sample.tiles
        var verifier = verifier(resource)
        let error = #expect(throws: ProtocolError.self) {
            try verifier.receive([ByteBuffer(bytes: resource.bytes(in: 16_384..<32_768))])
        }
        #expect(error?.code == .digestMismatch)
    }

    @Test func refusesBytesThatNobodyAskedFor() throws {
        let resource = Sample.tiles
        var verifier = verifier(resource, from: 32_768)
        let error = #expect(throws: ProtocolError.self) {
            try verifier.receive([ByteBuffer(bytes: Array(resource.bytes(in: 32_768..<40_000)) + [0])])
        }
        #expect(error?.code == .unexpectedFrame)
        var nothing = self.verifier(Sample.emptyRoutes)
        #expect(throws: ProtocolError.self) { try nothing.receive([ByteBuffer(bytes: [0])]) }
    }

    @Test func noBytesAreNothing() throws {
        var verifier = verifier(Sample.tiles)
        #expect(try verifier.receive([]).isEmpty)
        #expect(try verifier.receive([ByteBuffer(), ByteBuffer()]).isEmpty)
    }

    @Test func refusesDataForAListOfTooFewDigests() throws {
        let resource = Sample.tiles
        var verifier = ChunkVerifier(
            layout: resource.layout,
            digests: Array(resource.digests.prefix(1))
        )
        #expect(throws: ProtocolError.self) { try verifier.receive([ByteBuffer(bytes: resource.bytes)]) }
    }
}
