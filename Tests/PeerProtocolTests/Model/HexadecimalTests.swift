import PeerProtocol
import Testing

@Suite struct HexadecimalTests {
    @Test func everyByteSurvives() {
        let bytes = (0...255).map { UInt8($0) }
        let text = bytes.withUnsafeBytes { Hexadecimal.encode($0) }
        #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
        #expect(text.utf8.count == 512)
        #expect(Hexadecimal.decode(text) == bytes)
        #expect(Hexadecimal.decode(text.uppercased()) == bytes)
    }

    @Test func nothingIsNothing() {
        #expect([UInt8]().withUnsafeBytes { Hexadecimal.encode($0) } == "")
        #expect(Hexadecimal.decode("") == [])
    }

    @Test(arguments: ["0", "000", "0g", "/0", ":0", "@0", "G0", "`0", "0 ", "-1", "é"])
    func refusesAnythingElse(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }
}
