import PeerProtocol
import PeerStorage
import RegionModel

/// Who has written a file on a stick, signed together with what is offered.
struct StickCard {
    private static let words = Array("Stick sender 1\n".utf8)

    /// The number of bytes that stand before the name.
    static let prefixLength = 1 + PeerSignature.keyLength + PeerSignature.byteCount

    let name: String
    let signature: PeerSignature

    var bytes: [UInt8] {
        [UInt8(truncatingIfNeeded: name.utf8.count)] + signature.key + signature.bytes + Array(name.utf8)
    }

    /// Signs an offer.
    ///
    /// The manifest has the digests of all resources, and the header the key of this one file.
    init(_ sender: StickWriter.Sender, of manifest: Manifest, in header: StickHeader) throws {
        name = sender.name.prefix(utf8Count: MapSignature.maximumNameLength)
        signature = try sender.sign(Self.message(name, manifest.digest, header))
    }

    /// Reads a card that is not yet checked; nil if it is none.
    init?(_ bytes: [UInt8]) {
        let (keyEnd, end) = (1 + PeerSignature.keyLength, Self.prefixLength)
        guard bytes.count >= end, bytes.count == end + Int(bytes[0]), bytes[0] <= MapSignature.maximumNameLength,
            let name = String(validating: bytes[end...], as: UTF8.self),
            let signature = PeerSignature(key: Array(bytes[1..<keyEnd]), bytes: Array(bytes[keyEnd..<end]))
        else { return nil }
        self.name = name
        self.signature = signature
    }

    /// Returns whether it is that of an offer in a file.
    func isValid(for manifest: Manifest, in header: StickHeader) -> Bool {
        signature.isValid(for: Self.message(name, manifest.digest, header))
    }

    private static func message(_ name: String, _ manifest: ContentDigest, _ header: StickHeader) -> [UInt8] {
        words + header.bytes + manifest.bytes + Array(name.utf8)
    }
}
