import FoundationEssentials
import PeerProtocol
import Testing

@Suite struct ResourceKindTests {
    @Test(arguments: ["mbtiles", "a", "0", "photos2", String(repeating: "z", count: 32)])
    func takesLowerCaseLettersAndDigits(name: String) throws {
        #expect(try #require(ResourceKind(rawValue: name)).description == name)
    }

    @Test(arguments: [
        "", String(repeating: "z", count: 33), "Mbtiles", "mb tiles", "mb-tiles", "mb_tiles", "mb.tiles", "../etc",
        "a/b",
        "a\\b", "a:b", "a\u{0}b", "a\n", "\u{202E}a", "é", "ａ", "e\u{301}", "a\u{200D}",
    ])
    func refusesAnythingElse(name: String) throws {
        #expect(ResourceKind(rawValue: name) == nil)
        let json = try JSONEncoder().encode([name])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([ResourceKind].self, from: json) }
    }

    @Test func knownKindsHaveTheNamesOfTheWireFormat() {
        let kinds: [ResourceKind] = [
            .manifest, .mbtiles, .routing, .savedroutes, .plannedroutes, .waypoints, .done,
        ]
        #expect(
            kinds.map(\.rawValue) == [
                "manifest", "mbtiles", "routing", "savedroutes", "plannedroutes", "waypoints", "done",
            ]
        )
    }
}
