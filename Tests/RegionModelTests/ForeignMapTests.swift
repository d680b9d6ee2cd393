import FoundationEssentials
import RegionModel
import Testing

@Suite struct ForeignMapTests {
    @Test(arguments: [
        "Andorra_europe_2.obf", "US_New York_New York.mwm", "Sølvøya (topo).img", "安道尔.map", "file", "a.b.c",
        String(repeating: "x", count: 200),
    ])
    func aNameThatWorksEverywhereIsPossible(name: String) {
        #expect(ForeignMap.isFileName(name))
        #expect(ForeignMap.fileName(for: name, .other).hasPrefix(name.prefix(100)))
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", " x", "-rf", "x.", "x ", "a/b", "a\\b", "a:b", "a\nb", "a\u{0}b", "a\u{7F}b",
        "a\u{202E}b", "a\u{200B}b", "a*b", "a?b", "a\"b", "a<b", "a|b", "con", "NUL.obf", "lpt1.img",
        "a\u{A0}b", "a\u{E000}b", "-\u{301}rf", ".\u{301}x", String(repeating: "x", count: 201),
    ])
    func anyOtherNameIsRefusedAndReplaced(name: String) {
        #expect(!ForeignMap.isFileName(name))
        for format in ForeignFormat.allCases {
            let replaced = ForeignMap.fileName(for: name, format)
            #expect(ForeignMap.isFileName(replaced), "\(replaced)")
            #expect(format.fileExtension.map { replaced.hasSuffix("." + $0) } ?? true)
        }
        #expect(ForeignMap(format: .other, fileName: name, hasArea: false) == nil)
    }

    @Test func theNameSuggestsTheFormat() {
        #expect(ForeignFormat(fileName: "/maps/Andorra.OBF") == .osmand)
        #expect(ForeignFormat(fileName: "andorra.map") == .mapsforge)
        #expect(ForeignFormat(fileName: "gmapsupp.img") == .garmin)
        #expect(ForeignFormat(fileName: "Andorra.mwm") == .organicmaps)
        for name in ["obf", ".obf", "andorra.obf.zip", "andorra", "", "folder.obf/x"] {
            #expect(ForeignFormat(fileName: name) == nil, "\(name)")
        }
    }

    @Test func itIsReadAsItIsWritten() throws {
        let map = try #require(ForeignMap(format: .garmin, fileName: "gmapsupp.img", hasArea: true))
        let data = try JSONEncoder().encode(map)
        #expect(try JSONDecoder().decode(ForeignMap.self, from: data) == map)
    }

    @Test func aFormatOfANewerVersionIsAnotherProgrames() throws {
        let json = #"{"format":"novel","fileName":"x.novel","hasArea":false}"#
        #expect(try JSONDecoder().decode(ForeignMap.self, from: Data(json.utf8)).format == .other)
    }

    @Test func aNameThatIsNotPossibleIsRefused() {
        let json = #"{"format":"osmand","fileName":"../x.obf","hasArea":false}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ForeignMap.self, from: Data(json.utf8)) }
    }
}
