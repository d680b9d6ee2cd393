import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// A crash of the test process is the failure that these tests look for.
@Suite struct LinkFuzzTests {
    /// What each decoder makes of bytes: the bytes that it writes for what it has read; nil if it refuses them.
    static let decoders: [(String, @Sendable (ByteBuffer) throws -> ByteBuffer)] = [
        ("open", { try StreamOpening(decoding: $0).encoded() }),
        ("bytes", { try StreamBytes(decoding: $0).encoded() }),
        ("end", { try StreamEnd(decoding: $0).encoded() }),
        ("credit", { try Credit(decoding: $0).encoded() }),
        ("droppable", { try DroppableMessage(decoding: $0).encoded() }),
        ("link", { try LinkTerms(decoding: $0).encoded() }),
        ("resource", { try ResourceNotice(decoding: $0).encoded() }),
    ]

    /// Payloads to begin with, in the order of the decoders.
    static func samples() throws -> [ByteBuffer] {
        [
            StreamOpening(stream: 2, kind: .bytes, isOneWay: true, name: "name", metadata: ByteBuffer(string: "x"))
                .encoded(),
            StreamBytes(stream: 2, bytes: ByteBuffer(string: "some bytes")).encoded(),
            StreamEnd(stream: 2, code: .refused, reason: "reason").encoded(),
            Credit(received: 5, limits: [Credit.Limit(stream: 2, limit: 70_000)]).encoded(),
            DroppableMessage(channel: Sample.linkName("main"), key: "k", message: Sample.chatLine)
                .encoded(),
            try Sample.terms.encoded(),
            try ResourceNotice(transfer: Sample.id, verb: .offer(Sample.resourceOffer)).encoded(),
        ]
    }

    /// What is read is written in the same length, or refused with a code of the peer's faults.
    @Test(arguments: decoders.indices, [1, 2, 3] as [UInt64])
    func mutatedAndRandomBytesAreReadOrRefused(index: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed << 8 | UInt64(index))
        let sample = Array(try Self.samples()[index].readableBytesView)
        var readCount = 0
        for round in 0..<1500 {
            var bytes = round.isMultiple(of: 3) ? random.bytes(Int.random(in: 0..<80, using: &random)) : sample
            for _ in 0..<Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.removeSubrange(position...)
                case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: position)
                default: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            do {
                let written = try Self.decoders[index].1(ByteBuffer(bytes: bytes))
                readCount += 1
                // An end with an unknown code is read as another; JSON can be written in many ways.
                if index < 5 { #expect(written.readableBytes == bytes.count, "seed \(seed), round \(round)") }
            } catch {
                let code = try #require(error as? ProtocolError).code
                #expect([.invalidFrame, .limitExceeded].contains(code), "seed \(seed), round \(round)")
            }
        }
        #expect(readCount > 0)
    }

    /// Random records never stop the machine, and it never holds more than it may.
    @Test(arguments: 0..<16 as Range<UInt64>)
    func randomFramesAreTakenOrEndTheLink(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limits = LinkLimits.standard
        let allowance = MuxStateMachine.PeerAllowance(window: 65_536, maximumMessageLength: 1_048_576)
        let now = ContinuousClock.now
        for _ in 0..<40 {
            var mux = MuxStateMachine(hasEvenNumbers: true, limits: limits, peer: allowance)
            mux.attached()
            _ = mux.ask(Sample.linkName("ask"), version: 1, "{}")
            for step in 0..<60 {
                let stream = UInt32(Int.random(in: 0..<12, using: &random))
                switch Int.random(in: 0..<10, using: &random) {
                case 8:
                    let number = UInt64.random(in: 0..<12, using: &random)
                    let end = RequestEnd(.refused, code: "a", reason: "b")
                    let entries: [RequestEntry] = [
                        .request(number, Sample.linkName("a"), version: 1, payload: ByteBuffer(string: "1")),
                        .withdrawal(number), .answer(number, payload: ByteBuffer(string: "2")), .refusal(number, end),
                    ]
                    var bytes = entries.randomElement(using: &random)?.encoded() ?? ByteBuffer()
                    if Bool.random(using: &random) { bytes.moveWriterIndex(to: max(1, bytes.writerIndex - 3)) }
                    _ = mux.received(StreamBytes(stream: stream, bytes: bytes))
                case 9: mux.refuse(UInt64.random(in: 0..<12, using: &random), RequestEnd(.refused))
                case 0, 1:
                    let kind = StreamOpening.Kind.allCases.randomElement(using: &random) ?? .bytes
                    _ = mux.receivedOpen(
                        StreamOpening(
                            stream: UInt32(step) * 2 + 1,
                            kind: kind,
                            isOneWay: kind == .messages,
                            name: kind.isForRequests ? "" : "a"
                        )
                    )
                case 2:
                    let bytes = ByteBuffer(bytes: random.bytes(Int.random(in: 1..<30, using: &random)))
                    _ = mux.received(StreamBytes(stream: stream, bytes: bytes))
                case 3:
                    let code = StreamEnd.Code.allCases.randomElement(using: &random) ?? .finished
                    _ = mux.receivedEnd(StreamEnd(stream: stream, code: code))
                case 4: _ = mux.received([Credit.Limit(stream: stream, limit: random.next())])
                case 5: _ = try? mux.readMessage(stream)
                case 6: mux.cancel(stream)
                default: _ = mux.takeBurst(atMost: 65_536, recordRoom: 65_536, at: now)
                }
                #expect(mux.heldLength <= limits.maximumHeldLength)
            }
        }
    }
}
