import FoundationEssentials
import PeerProtocol
import Testing

@Suite struct PeerIDTests {
    static let hex = "3f9a12cd07be55a1" + String(repeating: "0", count: 48)

    @Test func shortFormIsTheFirst64Bits() throws {
        let id = try #require(PeerID(hex: Self.hex))
        #expect(id.short == "3f9a-12cd-07be-55a1")
        #expect(id.description == id.short)
        #expect(id.hex == Self.hex)
    }

    @Test func idsWithTheSameShortFormDiffer() throws {
        let other = try #require(PeerID(hex: Self.hex.dropLast() + "1"))
        #expect(other.short == PeerID(hex: Self.hex)?.short)
        #expect(other != PeerID(hex: Self.hex))
    }

    @Test(arguments: ["", "3f9a-12cd-07be-55a1", String(hex.dropLast()), hex + "00"])
    func refusesAnythingBut64Digits(text: String) {
        #expect(PeerID(hex: text) == nil)
    }

    @Test func isReadAndWrittenAsHexadecimalJSON() throws {
        let id = try #require(PeerID(hex: Self.hex))
        let json = try JSONEncoder().encode([id])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(Self.hex)\"]")
        #expect(try JSONDecoder().decode([PeerID].self, from: json) == [id])
    }
}
