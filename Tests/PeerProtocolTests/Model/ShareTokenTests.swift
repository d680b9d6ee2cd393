import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct ShareTokenTests {
    @Test(arguments: [
        (Array(UInt8(0)..<10), "000G40R40M30E209"),
        ([UInt8](repeating: 0, count: 10), "0000000000000000"),
        ([UInt8](repeating: 0xFF, count: 10), "ZZZZZZZZZZZZZZZZ"),
    ])
    func hasOneTextForm(bytes: [UInt8], text: String) throws {
        let token = try #require(ShareToken(bytes: bytes))
        #expect(token.text == text)
        #expect(ShareToken(text: text) == token)
    }

    @Test(arguments: [
        "", "000G40R40M30E20", "000G40R40M30E2090", "000G40R40M30E209==", "000g40r40m30e209", "O00G40R40M30E209",
        "000G-40R4-0M30-E209", "000G40R40M30E20U", "000G40R40M30E20\u{E9}", " 00G40R40M30E209",
        "AAECAwQFBgcICQoLDA0ODw",
    ])
    func anythingElseIsNone(text: String) {
        #expect(ShareToken(text: text) == nil)
    }

    @Test func isNeverShown() {
        let token = Sample.token
        var dumped = ""
        dump(InvitationRequest(timeout: 1, token: token), to: &dumped)
        for text in ["\(token)", String(reflecting: token), String(describing: Optional(token)), dumped] {
            #expect(!text.contains(token.text))
            #expect(text.contains("share token"))
        }
    }

    @Test func differsInAnyBit() throws {
        for bit in 0..<80 {
            var bytes = Array(UInt8(0)..<10)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try #require(ShareToken(bytes: bytes)) != Sample.token)
        }
    }

    @Test func isAnythingThatTheGeneratorSays() {
        var generator = SeededGenerator(seed: 3)
        let tokens = (0..<1000).map { _ in ShareToken(using: &generator) }
        #expect(Set(tokens).count == 1000)
        #expect(tokens.allSatisfy { ShareToken(text: $0.text) == $0 })
    }

    @Test(arguments: [0, 9, 11, 16]) func nothingElseIsAToken(count: Int) {
        #expect(ShareToken(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}

@Suite struct LaneSecretTests {
    @Test(arguments: [
        (Array(UInt8(0)..<16), "AAECAwQFBgcICQoLDA0ODw"),
        ([UInt8](repeating: 0, count: 16), "AAAAAAAAAAAAAAAAAAAAAA"),
        ([UInt8](repeating: 0xFF, count: 16), "_____________________w"),
        ([0xFB, 0xEF, 0xBE] + [UInt8](repeating: 0, count: 13), "----AAAAAAAAAAAAAAAAAA"),
    ])
    func hasOneTextForm(bytes: [UInt8], text: String) throws {
        let secret = try #require(ConnectionSecret(bytes: bytes))
        #expect(secret.text == text)
        #expect(ConnectionSecret(text: text) == secret)
        #expect(!"\(secret) \(String(reflecting: secret))".contains(text))
    }

    @Test(arguments: [
        "", "AAECAwQFBgcICQoLDA0OD", "AAECAwQFBgcICQoLDA0ODwA", "AAECAwQFBgcICQoLDA0ODw==", "AAECAwQFBgcICQoLDA0OD!",
        "AAECAwQFBgcICQoLDA0ODx", "++++AAAAAAAAAAAAAAAAAA", "////AAAAAAAAAAAAAAAAAA", "AAECAwQFBgcICQoLDA0O\u{E9}",
        " AECAwQFBgcICQoLDA0ODw",
    ])
    func anythingElseIsNone(text: String) {
        #expect(ConnectionSecret(text: text) == nil)
    }
}

@Suite struct Base32Tests {
    /// The bits of the vectors of RFC 4648, section 10, in the other alphabet.
    @Test(arguments: [
        ("", ""), ("f", "CR"), ("fo", "CSQG"), ("foo", "CSQPY"), ("foob", "CSQPYRG"), ("fooba", "CSQPYRK1"),
        ("foobar", "CSQPYRK1E8"),
    ])
    func isWrittenAndRead(plain: String, text: String) {
        #expect(Base32.encode(plain.utf8) == text)
        #expect(Base32.decode(text.utf8) == Array(plain.utf8))
    }

    @Test(arguments: ["C", "CS", "CSQ", "CSQPYR", "CRR", "cr", "CU", "C R"]) func anythingElseIsNone(text: String) {
        #expect(Base32.decode(text.utf8) == nil)
    }

    @Test func isReadAsPeopleType() {
        #expect(String(decoding: Base32.normalized("Oo-iIlL zZ u!".utf8), as: UTF8.self) == "001111ZZU!")
    }
}
