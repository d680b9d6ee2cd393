import PeerProtocol

/// What a device is recognised by: the SHA-256 digest of its certificate, or a random text if it speaks without encryption.
///
/// LocalSend and localsendd write digests in upper case, and localsendd compares them so; localsend-cli writes lower case.
package struct LocalSendFingerprint: Hashable, Sendable {
    /// The maximum length, in bytes: twice that of a digest.
    package static let maximumLength = 128

    /// The text; a digest in upper case.
    package let text: String
    /// Whether it can be the digest of a certificate; a device without encryption may say so, too.
    package let isCertificate: Bool

    /// Reads what a device says; nil if it is empty, too long, or not in printable ASCII.
    package init?(_ text: String) {
        guard LocalSendText.isID(text, upTo: Self.maximumLength) else { return nil }
        isCertificate = ContentDigest(hex: text) != nil
        self.text = isCertificate ? text.uppercased() : text
    }

    /// Creates the fingerprint of a certificate in DER.
    package init(certificate der: [UInt8]) {
        (text, isCertificate) = (ContentDigest(hashing: der).hex.uppercased(), true)
    }
}
