import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// Whole transfers, both machines and the codec together.
@Suite struct TransferPairTests {
    static let resources = [Sample.tiles, Sample.emptyRoutes, Sample.waypoints]

    static func pair(_ script: TransferPair.Script = TransferPair.Script()) throws -> TransferPair {
        try TransferPair(resources, script)
    }

    /// What both sides may be asked after any end whatever.
    private func expectConsistentEnd(_ pair: TransferPair) {
        #expect(pair.sender.machine.end != nil)
        #expect(pair.receiver.machine.end != nil)
        if case .completed = pair.sender.machine.end {
            #expect(pair.receiver.hasCommitted)
            #expect(pair.receiver.machine.end == pair.sender.machine.end)
        }
        if case .completed = pair.receiver.machine.end {
        } else {
            #expect(!pair.receiver.hasCommitted)
        }
        for (position, resource) in Self.resources.enumerated() {
            for (offset, bytes) in pair.receiver.kept[position] ?? [:] {
                #expect(Array(resource.bytes(in: offset..<offset + UInt64(bytes.count))) == bytes)
            }
        }
    }

    @Test func everythingCrosses() throws {
        var pair = try Self.pair()
        try pair.drive()
        guard case .completed(let acknowledgement) = pair.sender.machine.end else {
            Issue.record("\(String(describing: pair.sender.machine.end))")
            return
        }
        #expect(acknowledgement.imported.count == 3)
        #expect(pair.receiver.machine.end == .completed(acknowledgement))
        for (position, resource) in Self.resources.enumerated() {
            #expect(pair.receiver.bytes(of: position) == resource.bytes)
        }
        #expect(Set(pair.receiver.stored) == [0, 1, 2])
        expectConsistentEnd(pair)
    }

    @Test func framesCrossInTheOrderOfThePage() throws {
        var script = TransferPair.Script()
        script.pieceLength = 1_048_576
        var pair = try Self.pair(script)
        try pair.drive()
        let sender: [FrameType] = [
            .hello, .accept, .manifest, .digests, .digests, .digests, .data, .data, .done,
        ]
        let receiver: [FrameType] = [
            .hello, .invite, .selection, .request, .request, .confirmation, .request, .confirmation,
            .confirmation, .acknowledgement,
        ]
        #expect(pair.sender.wire.sentFrames == sender)
        #expect(pair.receiver.wire.sentFrames == receiver)
    }

    @Test(arguments: [1, 7, 100, 16_384, 1_048_576], [1, 8, 1_448, 1_000_000])
    func piecesOfAnyLengthGiveTheSame(pieceLength: Int, mtu: Int) throws {
        var script = TransferPair.Script()
        script.pieceLength = pieceLength
        script.mtu = mtu
        // A short resource where each byte would be a frame of its own.
        let tiles =
            pieceLength < 100 || mtu < 100
            ? SampleResource(.mbtiles, Array(Sample.tiles.bytes.prefix(500))) : Sample.tiles
        var pair = try TransferPair([tiles, Sample.waypoints], script)
        try pair.drive()
        #expect(pair.receiver.bytes(of: 0) == tiles.bytes)
        #expect(pair.receiver.bytes(of: 1) == Sample.waypoints.bytes)
        #expect(pair.receiver.hasCommitted)
    }

    @Test func onlyMissingChunksCross() throws {
        var script = TransferPair.Script()
        script.present = [0: [0, 2], 2: [0]]
        var pair = try Self.pair(script)
        try pair.drive()
        #expect(pair.receiver.bytes(of: 0) == Array(Sample.tiles.bytes[16_384..<32_768]))
        #expect(pair.receiver.bytes(of: 2).isEmpty)
        #expect(Set(pair.receiver.stored) == [0, 1, 2])
        expectConsistentEnd(pair)
        #expect(pair.receiver.hasCommitted)
    }

    @Test func onlyWishesCross() throws {
        var script = TransferPair.Script()
        script.selection = [.waypoints]
        var pair = try Self.pair(script)
        try pair.drive()
        #expect(pair.receiver.stored == [2])
        #expect(pair.receiver.bytes(of: 0).isEmpty)
        #expect(pair.receiver.hasCommitted)
    }

    @Test func nothingWantedIsATransferToo() throws {
        var script = TransferPair.Script()
        script.selection = []
        var pair = try Self.pair(script)
        try pair.drive()
        #expect(pair.receiver.stored.isEmpty)
        #expect(pair.receiver.hasCommitted)
        expectConsistentEnd(pair)
    }

    @Test func aDeclinedInvitationEndsBothSides() throws {
        var script = TransferPair.Script()
        script.refusalOfInvitation = Sample.refusal
        var pair = try Self.pair(script)
        try pair.drive()
        #expect(pair.sender.machine.end == .declined(Sample.refusal))
        #expect(pair.receiver.machine.end == .declinedByPeer(Sample.refusal))
    }

    @Test func aDeclinedOfferEndsBothSides() throws {
        var script = TransferPair.Script()
        script.refusalOfOffer = Refusal(.declined, "No, thanks.")
        var pair = try Self.pair(script)
        try pair.drive()
        #expect(pair.sender.machine.end == .declinedByPeer(Refusal(.declined, "No, thanks.")))
        #expect(pair.receiver.machine.end == .declined(Refusal(.declined, "No, thanks.")))
        #expect(pair.receiver.kept.isEmpty)
    }

    @Test(arguments: [0, 16_383, 16_384, 39_999] as [UInt64])
    func aWrongByteIsNeverKept(position: UInt64) throws {
        var script = TransferPair.Script()
        script.corruptedByte = position
        var pair = try Self.pair(script)
        try pair.drive()
        guard case .violated(let error) = pair.receiver.machine.end else {
            Issue.record("\(String(describing: pair.receiver.machine.end))")
            return
        }
        #expect(error.code == .digestMismatch)
        #expect(!pair.receiver.stored.contains(0))
        guard case .failedByPeer(let failure) = pair.sender.machine.end else {
            Issue.record("\(String(describing: pair.sender.machine.end))")
            return
        }
        #expect(failure.code == "digestMismatch")
        expectConsistentEnd(pair)
    }

    private func ends(of pair: TransferPair, senderFirst: Bool) -> (Conversation.End?, Conversation.End?) {
        let ends = (pair.sender.machine.end, pair.receiver.machine.end)
        return senderFirst ? ends : (ends.1, ends.0)
    }

    @Test(arguments: [true, false])
    func cancelAtEveryStepEndsBothSides(bySender: Bool) throws {
        var whole = try Self.pair()
        for step in 0..<(try whole.drive()) {
            var pair = try Self.pair()
            try pair.drive(atMost: step)
            try pair.cancel(bySender: bySender)
            try pair.drive()
            expectConsistentEnd(pair)
            let (here, there) = ends(of: pair, senderFirst: bySender)
            if here == .cancelled(Sample.cancellation), !pair.receiver.hasCommitted {
                #expect(there == .cancelledByPeer(Sample.cancellation), "step \(step)")
            } else {
                // The cancellation crossed with the end.
                #expect(pair.receiver.hasCommitted, "step \(step)")
            }
        }
    }

    @Test func cutAtEveryStepLeavesOnlyVerifiedChunks() throws {
        var whole = try Self.pair()
        for step in 0..<(try whole.drive()) {
            var pair = try Self.pair()
            try pair.drive(atMost: step)
            pair.cut()
            try pair.drive()
            expectConsistentEnd(pair)
        }
    }

    @Test func aSecondTransferNeedsOnlyWhatTheFirstDidNotBring() throws {
        var first = try Self.pair()
        try first.drive(atMost: 60)
        first.cut()
        let layout = Sample.tiles.layout
        let kept = first.receiver.kept[0] ?? [:]
        let present = Set(
            kept.flatMap { offset, bytes in
                (0..<layout.chunkCount).filter {
                    let range = layout.byteRange(of: $0..<$0 + 1)
                    return range.lowerBound >= offset && range.upperBound <= offset + UInt64(bytes.count)
                }
            }
        )
        try #require(!present.isEmpty && present.count < layout.chunkCount)
        var script = TransferPair.Script()
        script.present = [0: present]
        var second = try Self.pair(script)
        try second.drive()
        #expect(second.receiver.hasCommitted)
        let both = kept.merging(second.receiver.kept[0] ?? [:]) { $1 }
        #expect(both.sorted { $0.key < $1.key }.flatMap(\.value) == Sample.tiles.bytes)
    }
}
