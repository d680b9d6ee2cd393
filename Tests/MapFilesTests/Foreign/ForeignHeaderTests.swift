import FoundationEssentials
import MapFiles
import RegionModel
import RegionTestSupport
import Testing

/// What is read of the files of other map programs.
@Suite struct ForeignHeaderTests {
    private static let samples: [(ForeignFormat, [UInt8])] = [
        (.osmand, ForeignBytes.osmand()), (.mapsforge, ForeignBytes.mapsforge()), (.garmin, ForeignBytes.garmin()),
        (.organicmaps, ForeignBytes.organicMaps()),
    ]

    private static func expectArea(_ header: ForeignHeader?, _ edges: [Double], _ tolerance: Double = 1e-4) throws {
        let area = try #require(header?.area)
        for (edge, expected) in zip([area.north, area.south, area.east, area.west], edges) {
            #expect(abs(edge - expected) <= tolerance, "\(area) is not \(edges)")
        }
    }

    @Test func readsAMapOfMapsforge() throws {
        let header = try #require(ForeignHeader.read(ForeignBytes.mapsforge(), as: .mapsforge))
        #expect(header.name == nil)
        #expect(header.date == ForeignBytes.day)
        #expect(header.attribution == "Map data © OpenStreetMap contributors")
        try Self.expectArea(header, [42.7, 42.4, 1.8, 1.4])
        #expect(ForeignHeader.read(ForeignBytes.mapsforge(comment: nil), as: .mapsforge)?.attribution == nil)
    }

    @Test(arguments: [false, true]) func readsAMapOfOsmAnd(hasLongLengths: Bool) throws {
        let bytes = ForeignBytes.osmand(hasLongLengths: hasLongLengths)
        let header = try #require(ForeignHeader.read(bytes, as: .osmand))
        #expect(header.name == "Andorra europe")
        #expect(header.date == ForeignBytes.day)
        #expect(header.attribution == nil)
        // The area of the finest level counts: rows 378 and 379 of zoom level 10.
        try Self.expectArea(header, [42.553080, 42.293564, 1.757813, 1.406250])
    }

    @Test(arguments: [UInt64(ForeignBytes.day.timeIntervalSince1970), 260_824])
    func readsAMapOfOrganicMaps(version: UInt64) throws {
        let header = try #require(ForeignHeader.read(ForeignBytes.organicMaps(version: version), as: .organicmaps))
        #expect(header.name == nil)
        #expect(header.date == ForeignBytes.day)
        try Self.expectArea(header, [66.513260, 0, 90, 0])
    }

    @Test(arguments: [UInt8(0), 0xA5]) func readsAMapOfGarmin(key: UInt8) throws {
        let header = try #require(ForeignHeader.read(ForeignBytes.garmin(key: key), as: .garmin))
        #expect(header.name == "Andorra Topo")
        #expect(header.date == ForeignBytes.day)
        #expect(header.attribution == nil)
        try Self.expectArea(header, [42.7, 42.4, 1.8, 1.4])
    }

    @Test func aLongNameOfGarminIsInTwoPlaces() {
        let name = "A long name of a map that has two places"
        #expect(ForeignHeader.read(ForeignBytes.garmin(name: name), as: .garmin)?.name == name)
        #expect(ForeignHeader.read(ForeignBytes.garmin(name: ""), as: .garmin)?.name == nil)
    }

    @Test func aFileIsOfOneFormatOnly() {
        for (format, bytes) in Self.samples {
            for other in ForeignFormat.allCases where other != .other {
                #expect((ForeignHeader.read(bytes, as: other) != nil) == (format == other), "\(format) as \(other)")
            }
            #expect(ForeignHeader.read(bytes, as: .other) == ForeignHeader())
        }
    }

    @Test func aFileThatEndsEarlyIsNoneOrLacksItsArea() {
        for (format, bytes) in Self.samples {
            let whole = ForeignHeader.read(bytes, as: format)
            for count in stride(from: 0, to: bytes.count - 1, by: 7) {
                let header = ForeignHeader.read(Array(bytes.prefix(count)), as: format)
                // Garmin's files do not say how long they are; the parts with the areas may be missing.
                guard format == .garmin, count >= 0x84 else {
                    #expect(header == nil, "\(format) with \(count) bytes")
                    continue
                }
                #expect(header?.name == whole?.name)
                #expect(header?.area == nil || header?.area == whole?.area)
            }
        }
    }

    @Test func changedBytesAreReadOrRefused() {
        for (format, bytes) in Self.samples {
            for position in 0..<min(bytes.count, 700) {
                for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                    var changed = bytes
                    changed[position] = value
                    if let area = ForeignHeader.read(changed, as: format)?.area {
                        #expect(area.height > 0 && area.width > 0)
                    }
                }
            }
        }
    }

    @Test func textsHaveOneLineAndNoCharactersThatAreNotSeen() {
        let comment = "first\nsecond\u{202E}third\u{0}  \u{200B}fourth\t"
        let header = ForeignHeader.read(ForeignBytes.mapsforge(comment: comment), as: .mapsforge)
        #expect(header?.attribution == "first secondthird fourth")
        let long = ForeignBytes.mapsforge(comment: String(repeating: "x", count: 4000))
        #expect(ForeignHeader.read(long, as: .mapsforge)?.attribution?.count == 2000)
        let blank = ForeignBytes.mapsforge(comment: " \u{1} ")
        #expect(ForeignHeader.read(blank, as: .mapsforge)?.attribution == nil)
    }

    @Test func anImpossibleDateIsNone() {
        #expect(ForeignHeader.read(ForeignBytes.organicMaps(version: 991_399), as: .organicmaps)?.date == nil)
        #expect(ForeignHeader.read(ForeignBytes.organicMaps(version: .max >> 1), as: .organicmaps)?.date == nil)
    }

    @Test func aHeaderThatNeverEndsIsGivenUp() {
        // A thousand parts and no end; and a length of a part that leaves the file.
        let endless = [UInt8]([8, 2]) + (0..<2000).flatMap { _ in [UInt8]([0x10, 1]) }
        #expect(ForeignHeader.read(endless, as: .osmand) == nil)
        #expect(ForeignHeader.read([8, 2, 0x36, 0xFF, 255, 255, 255, 255, 255, 255, 255], as: .osmand) == nil)
        #expect(ForeignHeader.read([255, 255, 255, 255, 255, 255, 255, 255, 1], as: .organicmaps) == nil)
    }
}
