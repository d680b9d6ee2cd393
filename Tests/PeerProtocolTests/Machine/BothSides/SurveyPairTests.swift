import NIOCore
import PeerProtocol
import Testing

/// Whole transfers of which the receiver finds out beforehand how much is missing: both machines and the codec together.
@Suite struct SurveyPairTests {
    private static let resources = [PiecePairTests.tiles, Sample.waypoints]

    private static func script(steps: Int? = nil) -> TransferPair.Script {
        var script = PiecePairTests.script(PiecePairTests.older(0, 9, 50, 102))
        script.present = [0: Set(20..<24)]
        script.surveyed = [.mbtiles]
        script.maximumPieceCount = 20
        script.surveySteps = steps
        return script
    }

    @Test func theEstimateIsWhatCrosses() throws {
        var pair = try TransferPair(Self.resources, Self.script())
        try pair.drive()
        #expect(pair.receiver.hasCommitted)
        let crossed = 3 * 4096 + 4096 - 100
        #expect(pair.receiver.estimate == [0: crossed])
        #expect(pair.receiver.byteCount == crossed + Sample.waypoints.bytes.count)
        // Each list once, and no byte of a piece before the selection.
        #expect(pair.sender.wire.sentFrames.filter { $0 == .digests }.count == 2)
        let asked = pair.receiver.wire.sentFrames.prefix { $0 != .selection }
        #expect(asked.filter { $0 == .pieceQuery }.count == 5)
        #expect(asked.first { $0 == .rangeRequest || $0 == .request } == nil)
        // The lists of pieces that came before the selection serve after it.
        #expect(pair.receiver.wire.sentFrames.filter { $0 == .pieceQuery }.count == 5)
    }

    @Test func nothingBehindTheManifestIsNeededIfNothingIsAsked() throws {
        var script = Self.script()
        script.surveyed = []
        var pair = try TransferPair(Self.resources, script)
        try pair.drive()
        #expect(!pair.receiver.wire.sentFrames.contains(.digestQuery))
        #expect(pair.receiver.hasCommitted)
    }

    /// The person may answer before everything is compared: late answers cross with the transfer's own frames.
    @Test(arguments: 0...6, [[.mbtiles, .waypoints], [.waypoints], []] as [Set<ResourceKind>])
    func theAnswerMayComeAtAnyTime(steps: Int, selection: Set<ResourceKind>) throws {
        var script = Self.script(steps: steps)
        script.selection = selection
        // Nothing wanted: what was asked is answered before the end.
        var pair = try TransferPair(Self.resources, script)
        try pair.drive()
        #expect(pair.receiver.hasCommitted, "\(String(describing: pair.receiver.machine.end))")
        #expect(pair.sender.machine.end == pair.receiver.machine.end)
        guard selection.contains(.mbtiles) else { return }
        let layout = PiecePairTests.tiles.layout
        let received = pair.receiver.kept[0] ?? [:]
        for (offset, bytes) in received {
            #expect(Array(PiecePairTests.tiles.bytes(in: offset..<offset + UInt64(bytes.count))) == bytes)
        }
        #expect(received.values.reduce(0) { $0 + $1.count } == Int(layout.size) - 4 * 16_384)
        #expect(pair.receiver.byteCount == 3 * 4096 + 4096 - 100 + Sample.waypoints.bytes.count)
    }

    @Test func aListThatLiesEndsTheTransferBeforeTheAnswer() throws {
        var script = Self.script()
        script.pieceList = { list in
            var list = list
            list.writeInteger(UInt8(0))
            return list
        }
        var pair = try TransferPair(Self.resources, script)
        try pair.drive()
        guard case .violated(let error) = pair.receiver.machine.end else {
            Issue.record("\(String(describing: pair.receiver.machine.end))")
            return
        }
        #expect(error.code == .invalidFrame)
        #expect(pair.receiver.kept.isEmpty && !pair.receiver.wire.sentFrames.contains(.selection))
    }

    @Test func cutAtEveryStepLeavesOnlyVerifiedChunks() throws {
        var whole = try TransferPair(Self.resources, Self.script())
        for step in 0..<(try whole.drive()) {
            var pair = try TransferPair(Self.resources, Self.script())
            try pair.drive(atMost: step)
            pair.cut()
            try pair.drive()
            #expect(pair.sender.machine.end != nil)
            for (offset, bytes) in pair.receiver.kept[0] ?? [:] {
                #expect(Array(PiecePairTests.tiles.bytes(in: offset..<offset + UInt64(bytes.count))) == bytes)
            }
        }
    }
}
