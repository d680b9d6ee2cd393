import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct FrameDecoderTests {
    /// The preface, every frame there is, and two data frames with a frame between them.
    static func stream() throws -> [UInt8] {
        var bytes = Preface.hikeshare.bytes
        for golden in GoldenFrame.all {
            bytes += try Hexdump.parse(golden.hexdump)
        }
        bytes += try Hexdump.parse(GoldenFrame.dataHexdump)
        bytes += FrameDecoder.bytes(rawType: 0x90, payload: [1, 2, 3])
        bytes += FrameDecoder.bytes(.ping, #"{"nonce":1}"#)
        bytes += try Hexdump.parse(GoldenFrame.dataHexdump)
        return bytes
    }

    static func expectedOutputs() throws -> [FrameDecoder.Output] {
        let data: [FrameDecoder.Output] = [
            .dataHeader(GoldenFrame.dataHeader), .data(ByteBuffer(bytes: GoldenFrame.data)),
        ]
        return try [.preface] + GoldenFrame.all.map { .frame(try $0.frame()) } + data + [.frame(.ping(Ping(nonce: 1)))]
            + data
    }

    @Test func readsAStreamInOnePiece() throws {
        #expect(try FrameDecoder.outputs(of: [Self.stream()]) == Self.expectedOutputs())
    }

    @Test func readsAStreamCutAtEveryPoint() throws {
        let bytes = try Self.stream()
        let expected = try Self.expectedOutputs()
        for cut in 0...bytes.count {
            let outputs = try FrameDecoder.outputs(of: [bytes[..<cut], bytes[cut...]])
            guard outputs == expected else {
                Issue.record("cut at \(cut): \(outputs)")
                return
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 64])
    func readsAStreamInEqualPieces(length: Int) throws {
        let bytes = try Self.stream()
        let pieces = stride(from: 0, to: bytes.count, by: length).map { bytes[$0..<min($0 + length, bytes.count)] }
        #expect(try FrameDecoder.outputs(of: pieces) == Self.expectedOutputs())
    }

    @Test func passesDataOnAsTheyCome() throws {
        var decoder = FrameDecoder(preface: .hikeshare)
        let bytes = try Preface.hikeshare.bytes + Hexdump.parse(GoldenFrame.dataHexdump)
        var buffer = ByteBuffer(bytes: bytes.dropLast(20))
        #expect(try decoder.next(from: &buffer) == .preface)
        #expect(try decoder.next(from: &buffer) == .dataHeader(GoldenFrame.dataHeader))
        #expect(try decoder.next(from: &buffer) == .data(ByteBuffer(bytes: GoldenFrame.data.prefix(4))))
        #expect(try decoder.next(from: &buffer) == nil)
        buffer.writeBytes(bytes.suffix(20))
        #expect(try decoder.next(from: &buffer) == .data(ByteBuffer(bytes: GoldenFrame.data.dropFirst(4))))
        #expect(try decoder.next(from: &buffer) == nil)
    }

    @Test(arguments: [
        ("an HTTP request", Array("GET / HTTP/1.1\r\n".utf8)), ("a TLS handshake", [Preface.firstByteOfTLS, 3, 1]),
        ("an SSH banner", Array("SSH-2.0".utf8)), ("one wrong byte", [0]), ("an old line end", Array("HIKESHA\r".utf8)),
        ("lower case", Array("h".utf8)), ("nearly", Array("HIKESHA ".utf8)),
        ("zeros", [UInt8](repeating: 0, count: 99)),
    ])
    func refusesAnotherProtocolAtItsFirstWrongByte(what: String, bytes: [UInt8]) {
        let error = #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(of: [bytes]) }
        #expect(error?.code == .notHikeshare, "\(what)")
    }

    @Test(arguments: 0..<8)
    func waitsForTheRestOfThePreface(count: Int) throws {
        #expect(try FrameDecoder.outputs(of: [Preface.hikeshare.bytes.prefix(count)]).isEmpty)
    }

    @Test(arguments: [(1, 0), (0x80, 0), (0, 1), (0, 0x100), (0xFF, 0xFFFF)] as [(UInt8, UInt16)])
    func refusesFlagsAndReservedBytes(flags: UInt8, reserved: UInt16) {
        for rawType in [0x02, 0x24, 0x90] as [UInt8] {
            let bytes = FrameDecoder.bytes(rawType: rawType, flags: flags, reserved: reserved, length: 20, payload: [])
            let error = #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(afterPreface: bytes) }
            #expect(error?.code == .invalidFrame)
        }
    }

    @Test(arguments: FrameType.ignorable)
    func skipsUnknownTypesThatMayBeSkipped(rawType: UInt8) throws {
        let bytes = FrameDecoder.bytes(rawType: rawType, payload: [9, 9, 9]) + FrameDecoder.bytes(.accept, "{}")
        #expect(try FrameDecoder.outputs(afterPreface: bytes) == [.frame(.accept)])
    }

    @Test(arguments: (0..<0x80).filter { FrameType(rawValue: $0) == nil })
    func refusesUnknownTypesThatMayNotBeSkipped(rawType: UInt8) {
        let bytes = FrameDecoder.bytes(rawType: rawType, payload: [])
        let error = #expect(throws: ProtocolError.self) { try FrameDecoder.outputs(afterPreface: bytes) }
        #expect(error?.code == .invalidFrame)
    }

    @Test func reservedRangesAreNotInUse() {
        for type in FrameType.allCases {
            for reserved in [0x1C...0x1F, 0x3B...0x3F, FrameType.ignorable] {
                #expect(!reserved.contains(type.rawValue))
            }
        }
    }

    @Test func throwsTheSameErrorForEver() throws {
        var decoder = FrameDecoder(preface: .hikeshare)
        var buffer = ByteBuffer(bytes: Preface.hikeshare.bytes + FrameDecoder.bytes(rawType: 0x7F, payload: []))
        _ = try decoder.next(from: &buffer)
        let first = #expect(throws: ProtocolError.self) { try decoder.next(from: &buffer) }
        buffer.writeBytes(FrameDecoder.bytes(.accept, "{}"))
        for _ in 0..<3 {
            let again = #expect(throws: ProtocolError.self) { try decoder.next(from: &buffer) }
            #expect(again == first)
        }
    }
}
