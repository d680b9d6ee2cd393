import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct LinkTokenTests {
    @Test(arguments: [
        (Array(UInt8(0)..<16), "AAECAwQFBgcICQoLDA0ODw"),
        ([UInt8](repeating: 0, count: 16), "AAAAAAAAAAAAAAAAAAAAAA"),
        ([UInt8](repeating: 0xFF, count: 16), "_____________________w"),
        ([0xFB, 0xEF, 0xBE] + [UInt8](repeating: 0, count: 13), "----AAAAAAAAAAAAAAAAAA"),
    ])
    func hasOneTextForm(bytes: [UInt8], text: String) throws {
        let token = try #require(LinkToken(bytes: bytes))
        #expect(token.text == text)
        #expect(LinkToken(text: text) == token)
    }

    @Test(arguments: [
        "", "AAECAwQFBgcICQoLDA0OD", "AAECAwQFBgcICQoLDA0ODwA", "AAECAwQFBgcICQoLDA0ODw==", "AAECAwQFBgcICQoLDA0OD!",
        "AAECAwQFBgcICQoLDA0ODx", "++++AAAAAAAAAAAAAAAAAA", "////AAAAAAAAAAAAAAAAAA", "AAECAwQFBgcICQoLDA0O\u{E9}",
        " AECAwQFBgcICQoLDA0ODw",
    ])
    func anythingElseIsNone(text: String) {
        #expect(LinkToken(text: text) == nil)
    }

    @Test func isNeverShown() {
        let token = Sample.token
        var dumped = ""
        dump(InvitationRequest(timeout: 1, token: token), to: &dumped)
        for text in ["\(token)", String(reflecting: token), String(describing: Optional(token)), dumped] {
            #expect(!text.contains(token.text))
            #expect(text.contains("link token"))
        }
    }

    @Test func differsInAnyBit() throws {
        for bit in 0..<128 {
            var bytes = Array(UInt8(0)..<16)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try #require(LinkToken(bytes: bytes)) != Sample.token)
        }
    }

    @Test func isAnythingThatTheGeneratorSays() {
        var generator = SeededGenerator(seed: 3)
        let tokens = (0..<1000).map { _ in LinkToken(using: &generator) }
        #expect(Set(tokens).count == 1000)
        #expect(tokens.allSatisfy { LinkToken(text: $0.text) == $0 })
    }

    @Test(arguments: [0, 15, 17]) func nothingElseIsAToken(count: Int) {
        #expect(LinkToken(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
}
