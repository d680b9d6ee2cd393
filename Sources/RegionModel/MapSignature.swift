package import FoundationEssentials
package import PeerProtocol

/// The words of the person who has imported a map from a file: a name and a time, signed together with the digest of the map.
///
/// The key proves that they belong together, and that the map has not changed since. It does not prove the name.
package struct MapSignature: Hashable, Sendable {
    /// The maximum length of a name, in bytes of UTF-8.
    package static let maximumNameLength = 63

    /// The name that the person had on the machine.
    package let name: String

    /// When the map was imported, in whole seconds.
    package let date: Date

    /// The signature, by the key of the machine.
    package let signature: PeerSignature

    /// The machine on which the map was imported.
    package var signer: PeerID { signature.signer }

    /// Signs a map with a name, which is cut at ``maximumNameLength``; nil if it is empty or the date is not possible.
    package init?(
        of map: ContentDigest,
        as name: String,
        at date: Date = Date(),
        _ sign: (_ message: [UInt8]) throws -> PeerSignature
    ) rethrows {
        let name = name.prefix(utf8Count: Self.maximumNameLength)
        guard Self.isName(name), let seconds = Self.seconds(of: date) else { return nil }
        self.name = name
        self.date = Date(timeIntervalSince1970: TimeInterval(seconds))
        self.signature = try sign(Self.message(map, name, seconds))
    }

    /// Returns whether this is a signature of a map.
    package func isValid(for map: ContentDigest) -> Bool {
        guard let seconds = Self.seconds(of: date) else { return false }
        return signature.isValid(for: Self.message(map, name, seconds))
    }

    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= maximumNameLength && name.contains { !$0.isWhitespace }
    }

    /// The whole seconds since 1970; nil outside of the years 1970 to 9999.
    private static func seconds(of date: Date) -> Int64? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return (0..<253_402_300_800).contains(seconds) ? Int64(exactly: seconds) : nil
    }

    /// What is signed: words, the digest, the seconds since 1970 (8 bytes, big-endian), and last the name, whose length varies.
    private static func message(_ map: ContentDigest, _ name: String, _ seconds: Int64) -> [UInt8] {
        Array("Map signature 1\n".utf8) + map.bytes + withUnsafeBytes(of: seconds.bigEndian) { Array($0) }
            + Array(name.utf8)
    }
}

extension MapSignature: Codable {
    private enum CodingKeys: CodingKey {
        case name, date, key, signature
    }

    /// Decodes a signature that is not yet checked.
    ///
    /// - Throws: `DecodingError` if a value is missing or not possible.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        guard Self.isName(name) else { throw container.wrong(.name, "is not a name") }
        guard let seconds = Self.seconds(of: try container.date(.date)) else {
            throw container.wrong(.date, "is not a possible time")
        }
        date = Date(timeIntervalSince1970: TimeInterval(seconds))
        func bytes(_ key: CodingKeys, _ count: Int) throws -> [UInt8] {
            let text = try container.decode(String.self, forKey: key)
            guard text.utf8.count == (count + 2) / 3 * 4, let data = Data(base64Encoded: text), data.count == count
            else { throw container.wrong(key, "is not \(count) bytes in base64") }
            return Array(data)
        }
        let key = try bytes(.key, PeerSignature.keyLength)
        guard let signature = PeerSignature(key: key, bytes: try bytes(.signature, PeerSignature.byteCount)) else {
            throw container.wrong(.signature, "is not a signature")
        }
        self.signature = signature
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(date: date, forKey: .date)
        try container.encode(Data(signature.key).base64EncodedString(), forKey: .key)
        try container.encode(Data(signature.bytes).base64EncodedString(), forKey: .signature)
    }
}

extension Manifest {
    /// The offered map: that with tiles, or the file of another program; nil if none is offered.
    package var mapEntry: ManifestEntry? { entry(of: .mbtiles) ?? entry(of: .foreign) }

    /// Reads the description of the offered region; throws if the manifest describes none.
    ///
    /// A signature that is not one of the offered map is left out: it says nothing, and the map is as good as without it.
    package func region() throws(ProtocolError) -> Region {
        var region = try description(as: Region.self)
        if let signature = region.signature, mapEntry.map({ signature.isValid(for: $0.digest) }) != true {
            region.signature = nil
        }
        return region
    }
}
