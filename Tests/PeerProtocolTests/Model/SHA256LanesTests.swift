import PeerTestSupport
import Testing

@testable import PeerProtocol

/// Against swift-crypto, for every number of lanes that the processor has.
@Suite struct SHA256LanesTests {
    /// Which of all numbers of lanes this processor has; the others cannot be tested on it.
    static let available = [8, 16].compactMap(SHA256Lanes.init(count:))

    @Test(arguments: [-16, -1, 0, 1, 4, 15, 17, 32, Int.min, Int.max])
    func thereIsNoOtherNumberOfLanes(count: Int) {
        #expect(SHA256Lanes(count: count) == nil)
    }

    /// Why these: the padding has one block or two, and the lengths around a block and around a chunk.
    @Test(.enabled(if: !available.isEmpty, "this processor has neither AVX2 nor AVX-512"), arguments: available)
    func hashAsSHA256Does(lanes: SHA256Lanes) {
        var random = SeededGenerator(seed: UInt64(lanes.count))
        for length in Array(0...193) + [16_383, 16_384, 16_385, 4_194_304] {
            let bytes = random.bytes(length + lanes.count)
            bytes.withUnsafeBytes { bytes in
                // Each begins one byte after the one before, so that they are not alike and not aligned.
                let messages = (0..<lanes.count).map { UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + length]) }
                #expect(lanes.digestsAtOnce(of: messages[...]) == messages.map { ContentDigest(hashing: $0) })
            }
        }
    }

    @Test(.enabled(if: !available.isEmpty, "this processor has neither AVX2 nor AVX-512"), arguments: available)
    func hashAnyNumberOfMessages(lanes: SHA256Lanes) {
        var random = SeededGenerator(seed: 7)
        let bytes = random.bytes(100 + 3 * lanes.count)
        bytes.withUnsafeBytes { bytes in
            let messages = (0..<3 * lanes.count).map { UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + 100]) }
            let digests = messages.map { ContentDigest(hashing: $0) }
            for count in 0...lanes.count {
                #expect(
                    lanes.digestsAtOnce(of: messages[count..<count + count]) == Array(digests[count..<count + count])
                )
            }
            for count in 0...messages.count {
                #expect(lanes.digests(of: Array(messages[..<count])) == Array(digests[..<count]))
            }
            // More than there are lanes are not hashed at once, and not in part; nor are some of different lengths.
            #expect(lanes.digestsAtOnce(of: messages[...]) == [])
            #expect(lanes.digestsAtOnce(of: [messages[0], UnsafeRawBufferPointer(rebasing: bytes[..<99])]) == [])
        }
    }

    /// Wherever the pieces are cut, with every number of lanes and without any; the longest chunks are always hashed in turn.
    @Test(arguments: 0..<20)
    func cutsDoNotMatter(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let chunkLength = [1, 64, 1000, 16_384, 131_072].randomElement(using: &random) ?? 1
        let bytes = random.bytes(.random(in: 0...40 * chunkLength, using: &random))
        bytes.withUnsafeBytes { bytes in
            var pieces: [UnsafeRawBufferPointer] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let length = [0, 1, chunkLength - 1, 3 * chunkLength, 30 * chunkLength + 1].randomElement(
                    using: &random
                )
                pieces.append(UnsafeRawBufferPointer(rebasing: rest.prefix(length ?? 1)))
                rest = rest.dropFirst(length ?? 1)
            }
            let digests = stride(from: 0, to: bytes.count, by: chunkLength).map { start in
                ContentDigest(
                    hashing: UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + chunkLength, bytes.count)])
                )
            }
            #expect(ContentDigest.chunkDigests(of: pieces, chunkLength: chunkLength) == digests)
            #expect(ContentDigest.chunkDigestsInTurn(of: pieces, chunkLength: chunkLength) == digests)
            for lanes in Self.available {
                #expect(ContentDigest.chunkDigests(of: pieces, chunkLength: chunkLength, lanes: lanes) == digests)
            }
        }
    }
}
