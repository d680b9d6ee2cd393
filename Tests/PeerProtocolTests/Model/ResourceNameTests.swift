import FoundationEssentials
import PeerProtocol
import Testing

@Suite struct ResourceNameTests {
    static let uuid = "0F8FAD5B-D9CB-469F-A165-70867728950E"

    @Test func readsKindAndID() throws {
        let name = try #require(ResourceName(parsing: "mbtiles:" + Self.uuid))
        #expect(name.kind == .mbtiles)
        #expect(name.id == Sample.id)
        #expect(name.description == "mbtiles:" + Self.uuid)
    }

    @Test func readsALowerCaseIDAndWritesAnUpperCaseOne() throws {
        let name = try #require(ResourceName(parsing: "mbtiles:" + Self.uuid.lowercased()))
        #expect(name == ResourceName(kind: .mbtiles, id: Sample.id))
        #expect(name.description == "mbtiles:" + Self.uuid)
    }

    /// `U` stands for a UUID.
    static let hostileNames: [String] = [
        "", ":", "mbtiles", "mbtiles:", ":U", "U", "mbtilesU", "mbtiles::U", "mbtiles:U:", "mbtiles:U\n",
        "mbtiles:U\u{0}",
        "mbtiles:U/../../x", "mbtiles: U", " mbtiles:U", "../mbtiles:U", "/etc/passwd:U", "MBTILES:U",
        "mb\u{200B}tiles:U",
        "mbtiles\u{FF1A}U", "mbtiles:{0F8FAD5B-D9CB-469F-A165-70867728950}", "mbtiles:0F8FAD5BD9CB469FA16570867728950E",
        "mbtiles:../../../../../../../../etc/passwd1234", "mbtiles:0F8FAD5B-D9CB-469F-A165-70867728950",
        "mbtiles:0F8FAD5B/D9CB/469F/A165/70867728950E", "mbtiles:GF8FAD5B-D9CB-469F-A165-70867728950E",
        "mbtiles:0F8FAD5BD-9CB-469F-A165-70867728950E", "mbtiles:+F8FAD5B-D9CB-469F-A165-70867728950E",
        "mbtiles:0x8FAD5B-D9CB-469F-A165-70867728950E", "mbtiles: F8FAD5B-D9CB-469F-A165-70867728950E",
        "mbtiles:%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e",
    ]

    @Test(arguments: hostileNames)
    func refusesNamesThatAreNotExactlyKindAndID(pattern: String) throws {
        let text = pattern.replacing("U", with: Self.uuid)
        #expect(ResourceName(parsing: text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([ResourceName].self, from: json) }
    }

    @Test func isReadAndWrittenAsItsText() throws {
        let name = ResourceName(kind: .waypoints, id: Sample.id)
        let json = try JSONEncoder().encode([name])
        #expect(String(decoding: json, as: UTF8.self) == "[\"waypoints:\(Self.uuid)\"]")
        #expect(try JSONDecoder().decode([ResourceName].self, from: json) == [name])
    }
}
