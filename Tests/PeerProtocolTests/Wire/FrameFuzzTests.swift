import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerTestSupport
import Testing

/// A crash of the test process is the failure that these tests look for; beside it, each states what must hold.
@Suite struct FrameFuzzTests {
    @Test(arguments: 0..<8)
    func mutatedStreamsAreReadOrRefused(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stream = try FrameDecoderTests.stream()
        var refusals = 0
        for _ in 0..<500 {
            var bytes = stream
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                Self.mutate(&bytes, using: &random)
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            if !isReadWithinItsLength([bytes[..<cut], bytes[cut...]], bytes.count) { refusals += 1 }
        }
        #expect(refusals > 0)
    }

    @Test(arguments: FrameType.allCases.filter { $0 != .data }, [1, 2] as [UInt64])
    func mutatedPayloadsAreReadOrRefused(type: FrameType, seed: UInt64) throws {
        let golden = try #require(GoldenFrame.all.first { $0.type == type })
        let payload = Array(try Hexdump.parse(golden.hexdump).dropFirst(8))
        var random = SeededGenerator(seed: seed << 8 | UInt64(type.rawValue))
        for _ in 0..<500 {
            var bytes = payload
            Self.mutate(&bytes, using: &random)
            if Bool.random(using: &random) { Self.mutate(&bytes, using: &random) }
            _ = isReadWithinItsLength(
                [Preface.hikeshare.bytes + FrameDecoder.bytes(rawType: type.rawValue, payload: bytes)],
                bytes.count + 16
            )
        }
    }

    @Test(arguments: 0..<4)
    func mutatedManifestsAreReadOrRefused(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let body = Array(try Sample.manifest().body)
        for _ in 0..<500 {
            var bytes = body
            Self.mutate(&bytes, using: &random)
            do {
                let manifest = try Manifest(parsing: Data(bytes))
                #expect(manifest.totalSize <= ChunkLayout.maximumSize)
            } catch {
                #expect([.invalidManifest, .limitExceeded].contains(error.code))
            }
        }
    }

    @Test func randomBytesAfterThePrefaceAreReadOrRefused() {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<2000 {
            var bytes = Preface.hikeshare.bytes + random.bytes(Int.random(in: 0..<200, using: &random))
            // A believable header, so that payloads are reached.
            if bytes.count >= 16, let type = FrameType.allCases.randomElement(using: &random) {
                bytes.replaceSubrange(8..<16, with: [type.rawValue, 0, 0, 0, 0, 0, 0, UInt8(bytes.count - 16)])
            }
            _ = isReadWithinItsLength([bytes], bytes.count)
        }
    }

    /// Returns whether the bytes were read; if so, no more data may have come out than went in.
    private func isReadWithinItsLength(_ pieces: [some Collection<UInt8>], _ count: Int) -> Bool {
        do {
            let outputs = try FrameDecoder.outputs(of: pieces)
            let data = outputs.reduce(0) { sum, output in
                if case .data(let bytes) = output { sum + bytes.readableBytes } else { sum }
            }
            #expect(data <= count)
            return true
        } catch {
            #expect([.notHikeshare, .invalidFrame, .limitExceeded].contains(error.code))
            return false
        }
    }

    private static let tokens = [
        "0", "-", "9999999999999999999", "1e308", "null", "[", "{", "\"", "\\", "\\ud800", "\u{0}", ",", ":", "é", ".",
        "Z", "T",
    ]

    private static func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let position = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, position + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(position..<end)
        case 3: bytes.insert(contentsOf: Array(bytes[position..<end]), at: position)
        case 4: bytes.removeSubrange(position...)
        default:
            let token = tokens.randomElement(using: &random) ?? "0"
            bytes.replaceSubrange(position..<min(bytes.count, position + 1), with: Array(token.utf8))
        }
    }
}
