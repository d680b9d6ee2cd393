import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

@Suite struct ContentDigestTests {
    static let emptyHex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    static let abcHex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test(arguments: [("", emptyHex), ("abc", abcHex)])
    func hashesAsSHA256Does(text: String, hex: String) {
        #expect(ContentDigest(hashing: Array(text.utf8)).hex == hex)
        #expect(ContentDigest(hashing: ByteBuffer(string: text)).hex == hex)
    }

    @Test func readsUpperAndLowerCase() throws {
        let digest = try #require(ContentDigest(hex: Self.abcHex))
        #expect(ContentDigest(hex: Self.abcHex.uppercased()) == digest)
        #expect(digest.description == Self.abcHex)
    }

    @Test(arguments: [
        "", "ba", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "0", count: 66),
        String(repeating: "g", count: 64), " " + String(repeating: "0", count: 63), String(repeating: "０", count: 64),
        String(repeating: "é", count: 32), "0x" + String(repeating: "0", count: 62),
    ])
    func refusesTextThatIsNotADigest(text: String) {
        #expect(ContentDigest(hex: text) == nil)
    }

    @Test(arguments: [0, 31, 33, 64])
    func refusesAnotherNumberOfBytes(count: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(bytes.withUnsafeBytes { ContentDigest(bytes: $0) } == nil)
    }

    @Test func keepsItsBytes() throws {
        let bytes = (0..<32).map { UInt8($0) }
        let digest = try #require(bytes.withUnsafeBytes { ContentDigest(bytes: $0) })
        #expect(digest.bytes == bytes)
        #expect(digest.hex.hasPrefix("000102030405"))
    }

    @Test func isReadAndWrittenAsHexadecimalJSON() throws {
        let digest = ContentDigest(hashing: Array("abc".utf8))
        let json = try JSONEncoder().encode([digest])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(Self.abcHex)\"]")
        #expect(try JSONDecoder().decode([ContentDigest].self, from: json) == [digest])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ContentDigest].self, from: Data("[\"abc\"]".utf8))
        }
    }

    /// Computed with another program from the wire format's page.
    @Test(arguments: [
        (Sample.tiles, "ddbf064b84b9926135180eedb7c4d5698da21506f9c95817bc990362ee42760e"),
        (Sample.waypoints, "1809b9d7722a735bdb119cfcf7c7ad7cf9c77cf4792dc27f911e46d55d2b9f23"),
        (Sample.emptyRoutes, "9eabab669566839b82cbbfb628ad996c0139f3b3ea475f4324d313be96c27019"),
    ])
    func resourceDigestIsThePagesOne(resource: SampleResource, hex: String) {
        #expect(resource.entry.digest.hex == hex)
    }

    @Test func resourceDigestDependsOnSizeAndOrder() {
        let digests = Sample.tiles.digests
        let digest = ContentDigest(resourceSize: 40_000, chunkDigests: digests)
        #expect(ContentDigest(resourceSize: 39_999, chunkDigests: digests) != digest)
        #expect(ContentDigest(resourceSize: 40_000, chunkDigests: digests.reversed()) != digest)
        #expect(ContentDigest(resourceSize: 40_000, chunkDigests: digests.dropLast()) != digest)
    }
}
