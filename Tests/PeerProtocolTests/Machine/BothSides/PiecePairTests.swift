import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// Whole transfers to a receiver that has an older version: both machines and the codec together.
@Suite struct PiecePairTests {
    /// 26 chunks of 103 pages, the last one short.
    static let tiles: SampleResource = {
        var generator = SeededGenerator(seed: 11)
        return SampleResource(.mbtiles, generator.bytes(25 * 16_384 + 3 * 4096 - 100))
    }()

    /// An older version in which these pages were different.
    static func older(_ pages: Int..., count: Int = tiles.bytes.count) -> [UInt8] {
        var bytes = Array(tiles.bytes.prefix(count))
        for page in pages { bytes[min(page * 4096 + 17, bytes.count - 1)] ^= 0xFF }
        return bytes
    }

    static func script(_ older: [UInt8]) -> TransferPair.Script {
        var script = TransferPair.Script()
        script.older = [0: older]
        return script
    }

    static func drive(_ script: TransferPair.Script) throws -> TransferPair {
        var pair = try TransferPair([tiles, Sample.waypoints], script)
        try pair.drive()
        return pair
    }

    private func expectWhole(_ pair: TransferPair, bytes: Int, location: SourceLocation = #_sourceLocation) {
        #expect(pair.receiver.hasCommitted, sourceLocation: location)
        #expect(pair.receiver.bytes(of: 0) == Self.tiles.bytes, sourceLocation: location)
        #expect(pair.receiver.byteCount == bytes + Sample.waypoints.bytes.count, sourceLocation: location)
    }

    @Test func onlyPiecesThatDifferCross() throws {
        let pair = try Self.drive(Self.script(Self.older(0, 1, 42, 102)))
        expectWhole(pair, bytes: 3 * 4096 + 4096 - 100)
        let receiver: [FrameType] = [
            .hello, .invite, .selection, .pieceQuery, .request, .rangeRequest, .confirmation, .request,
            .confirmation, .acknowledgement,
        ]
        #expect(pair.receiver.wire.sentFrames == receiver)
        #expect(pair.sender.wire.sentFrames.filter { $0 == .pieceList }.count == 1)
    }

    @Test func anOlderVersionThatIsTheSameNeedsNothing() throws {
        // The chunks count as missing: nobody has looked.
        expectWhole(try Self.drive(Self.script(Self.older())), bytes: 0)
    }

    @Test func anotherFileAltogetherCrossesWhole() throws {
        var generator = SeededGenerator(seed: 12)
        let other = generator.bytes(Self.tiles.bytes.count)
        expectWhole(try Self.drive(Self.script(other)), bytes: Self.tiles.bytes.count)
    }

    @Test(arguments: [0, 1, 4095, 4096, 16_384, 100_000, 25 * 16_384 + 1])
    func whatTheOlderVersionDoesNotHaveCrosses(count: Int) throws {
        let pages = (Self.tiles.bytes.count - count / 4096 * 4096)
        expectWhole(try Self.drive(Self.script(Self.older(count: count))), bytes: pages)
    }

    @Test func anOlderVersionMayBeLonger() throws {
        // What lies behind the end of the newer one does not count.
        expectWhole(try Self.drive(Self.script(Self.older() + [1, 2, 3])), bytes: 0)
        let longer = Self.older(5) + [UInt8](repeating: 0, count: 100_000)
        expectWhole(try Self.drive(Self.script(longer)), bytes: 4096)
    }

    @Test(arguments: [4, 5, 8, 50, 102, 103])
    func aLongSearchGoesRoundByRound(maximumPieceCount: Int) throws {
        var script = Self.script(Self.older(0, 9, 50, 51, 52, 53, 102))
        script.maximumPieceCount = maximumPieceCount
        let pair = try Self.drive(script)
        expectWhole(pair, bytes: 6 * 4096 + 4096 - 100)
        let rounds = pair.receiver.wire.sentFrames.filter { $0 == .pieceQuery }.count
        let chunksPerRound = maximumPieceCount / 4
        #expect(rounds == (maximumPieceCount == 103 ? 1 : (26 + chunksPerRound - 1) / chunksPerRound))
    }

    @Test(arguments: [1, 100, 4096, 1_048_576], [8, 1448, 1_000_000])
    func piecesOfAnyLengthGiveTheSame(pieceLength: Int, mtu: Int) throws {
        var script = Self.script(Self.older(7))
        (script.pieceLength, script.mtu) = (pieceLength, mtu)
        expectWhole(try Self.drive(script), bytes: 4096)
    }

    @Test func aSenderThatCallsEverythingTheSameCostsWholeChunks() throws {
        var script = Self.script(Self.older(0, 42))
        let older = try SampleResource(.mbtiles, Self.older(0, 42)).pageList(0..<26).bytes
        script.pieceList = { _ in older }
        let pair = try Self.drive(script)
        expectWhole(pair, bytes: 2 * 16_384)
        #expect(pair.receiver.wire.sentFrames.filter { $0 == .request }.count == 2)
    }

    @Test func aSenderThatCallsEverythingDifferentCostsTheChunks() throws {
        var script = Self.script(Self.older(0))
        script.pieceList = { list in
            var list = list
            // The digests stand behind five numbers.
            for digest in 0..<103 { list.setInteger(UInt64(digest), at: list.readerIndex + 20 + 8 * digest) }
            return list
        }
        expectWhole(try Self.drive(script), bytes: Self.tiles.bytes.count)
    }

    @Test(arguments: [-1, 1])
    func anotherNumberOfDigestsEndsTheTransfer(more: Int) throws {
        var script = Self.script(Self.older(0))
        script.pieceList = { list in
            var list = list
            list.setInteger(UInt32(103 + more), at: list.readerIndex + 4)
            return list
        }
        let pair = try Self.drive(script)
        guard case .violated(let error) = pair.receiver.machine.end else {
            Issue.record("\(String(describing: pair.receiver.machine.end))")
            return
        }
        #expect(error.code == .invalidFrame)
        #expect(pair.receiver.kept[0] == nil)
    }

    @Test func aWrongByteInAPageCostsTheWholeChunkAndASecondOneTheTransfer() throws {
        // The sender sends the byte wrong every time, as a page and with its chunk.
        var script = Self.script(Self.older(42))
        script.corruptedByte = 42 * 4096
        let pair = try Self.drive(script)
        guard case .violated(let error) = pair.receiver.machine.end else {
            Issue.record("\(String(describing: pair.receiver.machine.end))")
            return
        }
        #expect(error.code == .digestMismatch)
        #expect(pair.receiver.kept[0]?[10 * 16_384] == nil)
        #expect(!pair.receiver.hasCommitted)
    }

    @Test func cutAtEveryStepLeavesOnlyVerifiedChunks() throws {
        var script = Self.script(Self.older(0, 9, 50, 102))
        script.maximumPieceCount = 20
        var whole = try TransferPair([Self.tiles, Sample.waypoints], script)
        for step in 0..<(try whole.drive()) {
            var pair = try TransferPair([Self.tiles, Sample.waypoints], script)
            try pair.drive(atMost: step)
            pair.cut()
            try pair.drive()
            #expect(pair.sender.machine.end != nil)
            for (offset, bytes) in pair.receiver.kept[0] ?? [:] {
                #expect(Array(Self.tiles.bytes(in: offset..<offset + UInt64(bytes.count))) == bytes)
            }
        }
    }
}
