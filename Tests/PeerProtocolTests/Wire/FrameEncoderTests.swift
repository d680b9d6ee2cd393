import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

@Suite struct FrameEncoderTests {
    private func written(_ frame: Frame) throws -> Frame? {
        var buffer = ByteBuffer()
        try FrameEncoder(preface: .hikeshare).write(frame, into: &buffer)
        guard case .frame(let frame) = try FrameDecoder.outputs(afterPreface: buffer.readableBytesView).first else {
            return nil
        }
        return frame
    }

    @Test(
        arguments: [
            .hello(Sample.receiverHello), .ping(Ping(nonce: 0)), .pong(Ping(nonce: .max)),
            .cancel(Cancellation(reason: "")),
            .cancel(Cancellation(reason: "\u{0}\n\u{1B}[31m\"\\/🥾")), .failure(Failure(code: "failed", message: "x")),
            .invite(InvitationRequest(timeout: 60)), .accept, .decline(Refusal(.other, "")),
            .turn(TurnNotice(place: 1, count: 1)), .turn(TurnNotice(place: 2, count: 3, seconds: 0)),
            .catalogue(Data("{}".utf8)), .pick(OfferPick(ids: [Sample.id])), .digestQuery(DigestQuery(kinds: [])),
            .digestQuery(DigestQuery(kinds: [.photos, .mbtiles])),
            .manifest(Data()), .selection(ResourceSelection(kinds: [])),
            .selection(ResourceSelection(kinds: [.mbtiles], unknown: [.routing])),
            .digests(DigestListPart(resource: 7, digests: [])),
            .digests(DigestListPart(resource: 7, first: 64_512, digests: Sample.tiles.digests)),
            .request(ChunkRequest(resource: 7, runs: [])),
            .request(ChunkRequest(resource: Int(UInt32.max), runs: [0..<65_536])),
        ] as [Frame]
    )
    func whatIsWrittenIsRead(frame: Frame) throws {
        #expect(try written(frame) == frame)
    }

    @Test func requestsAreReadInTheFewestRuns() throws {
        let request = ChunkRequest(resource: 0, runs: [0..<1, 1..<3, 3..<3, 70..<71])
        #expect(try written(.request(request)) == .request(ChunkRequest(resource: 0, runs: [0..<3, 70..<71])))
        let nothing = ChunkRequest(resource: 0, runs: [5..<5])
        #expect(try written(.request(nothing)) == .request(ChunkRequest(resource: 0, runs: [])))
    }

    @Test(arguments: [0, 1, 1023, 1024, 1025, 2048, 65_536])
    func aListIsDividedIntoAsFewPartsAsPossible(count: Int) {
        let digests = Array(repeating: Sample.tiles.digests[0], count: count)
        let parts = Array(DigestListPart.parts(of: digests, resource: 3))
        #expect(parts.count == max(1, (count + 1023) / 1024))
        #expect(parts.map(\.first) == parts.indices.map { $0 * 1024 })
        #expect(parts.dropLast().allSatisfy { $0.digests.count == 1024 } && parts.allSatisfy { $0.resource == 3 })
        #expect(parts.reduce(0) { $0 + $1.digests.count } == count)
    }

    @Test func shortensTextsForPeopleAtACharacter() throws {
        let long = String(repeating: "é", count: 501)
        let short = String(repeating: "é", count: 500)
        #expect(try written(.cancel(Cancellation(reason: long))) == .cancel(Cancellation(reason: short)))
        #expect(try written(.decline(Refusal(.busy, long))) == .decline(Refusal(.busy, short)))
        #expect(
            try written(.failure(Failure(code: "failed", message: long + "x", remedy: "y" + long)))
                == .failure(Failure(code: "failed", message: short, remedy: "y" + short.dropLast()))
        )
        var hello = Sample.hello
        hello.displayName = String(repeating: "👩‍👩‍👧‍👦", count: 3)
        hello.platform = long
        hello.software = long
        guard case .hello(let read) = try written(.hello(hello)) else {
            Issue.record("no hello")
            return
        }
        #expect(read.displayName == "👩‍👩‍👧‍👦👩‍👩‍👧‍👦")
        #expect(read.platform == short)
        #expect(read.software == short)
    }

    @Test(
        arguments: [
            .invite(InvitationRequest(timeout: 15, context: Data(count: 16_385))),
            .invite(InvitationRequest(timeout: 0)),
            .failure(Failure(code: String(repeating: "x", count: 1001), message: "")),
            .manifest(Data(count: 1_048_577)),
            .request(ChunkRequest(resource: 0, runs: [0..<1, 65_536..<65_537])),
            .request(ChunkRequest(resource: 0, runs: [-1..<1])),
            .pieceQuery(PieceQuery(resource: 0, runs: Array(repeating: 0..<1, count: 1025))),
            .digests(DigestListPart(resource: 0, digests: Array(repeating: Sample.tiles.digests[0], count: 1025))),
            .invite(InvitationRequest(timeout: 15, session: Sample.session(wish: 0))),
            .link(Sample.terms(epoch: 0)), .link(Sample.terms(epoch: 1 << 32)),
            .credit(Credit(received: 0, limits: Array(repeating: Credit.Limit(stream: 1, limit: 1), count: 257))),
            .droppable(
                DroppableMessage(
                    channel: Sample.linkName("main"),
                    key: String(repeating: "k", count: 65),
                    message: Sample.chatLine
                )
            ),
            .record(Record(.open, payload: ByteBuffer(repeating: 0, count: 4_362))),
            .record(Record(.bytes, payload: ByteBuffer(repeating: 0, count: 65_541))),
        ] as [Frame]
    )
    func writesNothingThatThePeerWouldRefuse(frame: Frame) {
        var buffer = ByteBuffer(string: "before")
        let error = #expect(throws: ProtocolError.self) {
            try FrameEncoder(preface: .hikeshare).write(frame, into: &buffer)
        }
        #expect(error?.code == .limitExceeded)
        #expect(buffer == ByteBuffer(string: "before"))
    }

    @Test func framesFollowOneAnotherInTheSameBuffer() throws {
        var buffer = ByteBuffer()
        FrameEncoder(preface: .hikeshare).writePreface(into: &buffer)
        try FrameEncoder(preface: .hikeshare).write(.accept, into: &buffer)
        try FrameEncoder(preface: .hikeshare).write(.ping(Ping(nonce: 1)), into: &buffer)
        let outputs = try FrameDecoder.outputs(of: [buffer.readableBytesView])
        #expect(outputs == [.preface, .frame(.accept), .frame(.ping(Ping(nonce: 1)))])
    }
}
