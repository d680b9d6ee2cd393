import LocalSend
import Testing

@Suite struct LocalSendFingerprintTests {
    private static let digest = String(repeating: "0123456789ABCDEF", count: 4)

    @Test func aCertificateIsComparedWithoutCaseAndWrittenInUpperCase() throws {
        let fingerprint = try #require(LocalSendFingerprint(Self.digest.lowercased()))
        #expect(fingerprint == LocalSendFingerprint(Self.digest))
        #expect(fingerprint.isCertificate)
        #expect(fingerprint.text == Self.digest)
    }

    @Test func aDigestOfACertificateIsThatOfItsBytes() {
        // SHA-256 of three bytes (FIPS 180-2, appendix B.1).
        let fingerprint = LocalSendFingerprint(certificate: Array("abc".utf8))
        #expect(fingerprint.text == "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD")
        #expect(fingerprint.isCertificate)
    }

    @Test(arguments: [
        "random string", "a", "3d7c0d5c5b4f4f0e8a57c0c8a8e5a9f1", String(digest.dropLast()), digest + "0",
    ])
    func aRandomTextIsNoCertificate(_ text: String) throws {
        let fingerprint = try #require(LocalSendFingerprint(text))
        #expect(!fingerprint.isCertificate)
        #expect(fingerprint.text == text)
    }

    @Test(arguments: ["", "ä", "a\n", "a\u{0}", "\u{7F}", String(repeating: "x", count: 129)])
    func otherTextsAreNone(_ text: String) { #expect(LocalSendFingerprint(text) == nil) }

    @Test func theLongestIsOne() { #expect(LocalSendFingerprint(String(repeating: "x", count: 128)) != nil) }
}
