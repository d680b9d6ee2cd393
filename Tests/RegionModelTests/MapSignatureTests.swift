import Crypto
import Foundation
import PeerProtocol
import RegionModel
import RegionTestSupport
import Testing

/// Who has imported a map, signed together with the map.
@Suite struct MapSignatureTests {
    private static let map = ContentDigest(hashing: [1])
    private static let time = Date(timeIntervalSince1970: 1_787_500_800)

    static func signature(
        of map: ContentDigest = map,
        as name: String = "Anna",
        at time: Date = time,
        by key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()
    ) throws -> MapSignature {
        let signature = try MapSignature(of: map, as: name, at: time) { message in
            try Self.sign(message, by: key)
        }
        return try #require(signature)
    }

    private static func sign(_ message: [UInt8], by key: P256.Signing.PrivateKey) throws -> PeerSignature {
        let bytes = Array(try key.signature(for: message).rawRepresentation)
        return try #require(PeerSignature(key: Array(key.publicKey.rawRepresentation), bytes: bytes))
    }

    private static func fields(_ signature: MapSignature) throws -> [String: String] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(signature)) as? [String: String])
    }

    private static func read(_ fields: [String: String]) throws -> MapSignature {
        try JSONDecoder().decode(MapSignature.self, from: JSONSerialization.data(withJSONObject: fields))
    }

    @Test func isOfThisMapAndOfThisMachine() throws {
        let key = P256.Signing.PrivateKey()
        let signature = try Self.signature(at: Self.time + 0.7, by: key)
        #expect(signature.isValid(for: Self.map))
        #expect(!signature.isValid(for: ContentDigest(hashing: [2])))
        #expect(signature.signer.digest == ContentDigest(hashing: Array(key.publicKey.derRepresentation)))
        #expect(signature.name == "Anna" && signature.date == Self.time)
        #expect(try Self.read(Self.fields(signature)) == signature)
    }

    /// The bytes that are signed, as the page says.
    @Test func signsWhatThePageSays() throws {
        var signed: [UInt8] = []
        let signature = try Self.signature()
        _ = MapSignature(of: Self.map, as: "Anna", at: Self.time) { message in
            signed = message
            return signature.signature
        }
        let seconds: [UInt8] = [0x00, 0x00, 0x00, 0x00, 0x6A, 0x8B, 0x19, 0x00]
        #expect(signed == Array("Map signature 1\n".utf8) + Self.map.bytes + seconds + Array("Anna".utf8))
    }

    @Test(arguments: ["name", "date", "key", "signature"]) func aChangedFieldIsNoSignature(field: String) throws {
        let signature = try Self.signature()
        var fields = try Self.fields(signature)
        fields[field] = try Self.fields(try Self.signature(as: "Ben", at: Self.time + 86_400))[field]
        #expect(try !Self.read(fields).isValid(for: Self.map))
    }

    @Test(arguments: [
        ("name", ""), ("name", " \t"), ("name", String(repeating: "a", count: 64)), ("date", "soon"),
        ("date", "1969-12-31T23:59:59Z"), ("key", ""), ("key", "AAAA"),
        ("signature", String(repeating: "A", count: 88)),
        ("signature", String(repeating: "A", count: 100_000)), ("key", String(repeating: "=", count: 88)),
    ]) func whatIsNotPossibleIsNotRead(field: String, value: String) throws {
        var fields = try Self.fields(try Self.signature())
        fields[field] = value
        #expect(throws: DecodingError.self) { try Self.read(fields) }
        fields[field] = nil
        #expect(throws: DecodingError.self) { try Self.read(fields) }
    }

    /// A key that is no point of the curve, and numbers that no signature has.
    @Test func bytesThatAreNoKeyAreNoSignature() throws {
        let good = try Self.signature()
        for byte in [0, 1, 0xFF] as [UInt8] {
            let bytes = [UInt8](repeating: byte, count: 64)
            for (key, signature) in [(bytes, good.signature.bytes), (good.signature.key, bytes), (bytes, bytes)] {
                var fields = try Self.fields(good)
                fields["key"] = Data(key).base64EncodedString()
                fields["signature"] = Data(signature).base64EncodedString()
                #expect(try !Self.read(fields).isValid(for: Self.map))
            }
        }
    }

    @Test func longNamesAreCutAndEmptyOnesSignNothing() throws {
        #expect(try Self.signature(as: String(repeating: "é", count: 40)).name.utf8.count == 62)
        let signature = try Self.signature()
        #expect(MapSignature(of: Self.map, as: " ") { _ in signature.signature } == nil)
        #expect(MapSignature(of: Self.map, as: "A", at: .distantPast) { _ in signature.signature } == nil)
    }

    /// A signature of another map, or one that cannot be read, leaves the offer as it is without it.
    @Test func aFalseSignatureLeavesTheOffer() throws {
        var region = try JSONDecoder().decode(Region.self, from: Data(GoldenJSON.region.utf8))
        let plain = region
        let layout = try #require(ChunkLayout(size: 2_613_248))
        func offered(_ signature: MapSignature?, kind: ResourceKind = .mbtiles) throws -> Region {
            region.signature = signature
            let name = ResourceName(kind: kind, id: region.id)
            let entry = ManifestEntry(name: name, layout: layout, digest: Self.map)
            return try Manifest(id: region.id, describing: region, entries: [entry]).region()
        }
        let good = try Self.signature()
        #expect(try offered(good).signature == good)
        #expect(try offered(try Self.signature(of: ContentDigest(hashing: [2]))) == plain)
        #expect(try offered(good, kind: .routing) == plain)
        let json = GoldenJSON.region.dropLast() + #","signature":{"name":7}}"#
        #expect(try JSONDecoder().decode(Region.self, from: Data(json.utf8)) == plain)
    }
}
