import FoundationEssentials
import MapFiles
import RegionModel
import RegionTestSupport
import Testing

/// What is read of the files of other map programs.
@Suite struct SealedHeaderTests {
    private static let samples: [(SealedFormat, [UInt8])] = [
        (.osmand, SealedBytes.osmand()), (.mapsforge, SealedBytes.mapsforge()), (.garmin, SealedBytes.garmin()),
        (.organicmaps, SealedBytes.organicMaps()),
    ]

    private static func expectArea(_ header: SealedHeader?, _ edges: [Double], _ tolerance: Double = 1e-4) throws {
        let area = try #require(header?.area)
        for (edge, expected) in zip([area.north, area.south, area.east, area.west], edges) {
            #expect(abs(edge - expected) <= tolerance, "\(area) is not \(edges)")
        }
    }

    @Test func readsAMapOfMapsforge() throws {
        let header = try #require(SealedHeader.read(SealedBytes.mapsforge(), as: .mapsforge))
        #expect(header.name == nil)
        #expect(header.date == SealedBytes.day)
        #expect(header.attribution == "Map data © OpenStreetMap contributors")
        try Self.expectArea(header, [42.7, 42.4, 1.8, 1.4])
        #expect(SealedHeader.read(SealedBytes.mapsforge(comment: nil), as: .mapsforge)?.attribution == nil)
    }

    @Test(arguments: [false, true]) func readsAMapOfOsmAnd(hasLongLengths: Bool) throws {
        let bytes = SealedBytes.osmand(hasLongLengths: hasLongLengths)
        let header = try #require(SealedHeader.read(bytes, as: .osmand))
        #expect(header.name == "Andorra europe")
        #expect(header.date == SealedBytes.day)
        #expect(header.attribution == nil)
        // The area of the finest level counts: rows 378 and 379 of zoom level 10.
        try Self.expectArea(header, [42.553080, 42.293564, 1.757813, 1.406250])
    }

    @Test(arguments: [UInt64(SealedBytes.day.timeIntervalSince1970), 260_824])
    func readsAMapOfOrganicMaps(version: UInt64) throws {
        let header = try #require(SealedHeader.read(SealedBytes.organicMaps(version: version), as: .organicmaps))
        #expect(header.name == nil)
        #expect(header.date == SealedBytes.day)
        try Self.expectArea(header, [66.513260, 0, 90, 0])
    }

    @Test(arguments: [UInt8(0), 0xA5]) func readsAMapOfGarmin(key: UInt8) throws {
        let header = try #require(SealedHeader.read(SealedBytes.garmin(key: key), as: .garmin))
        #expect(header.name == "Andorra Topo")
        #expect(header.date == SealedBytes.day)
        #expect(header.attribution == nil)
        try Self.expectArea(header, [42.7, 42.4, 1.8, 1.4])
    }

    @Test func aLongNameOfGarminIsInTwoPlaces() {
        let name = "A long name of a map that has two places"
        #expect(SealedHeader.read(SealedBytes.garmin(name: name), as: .garmin)?.name == name)
        #expect(SealedHeader.read(SealedBytes.garmin(name: ""), as: .garmin)?.name == nil)
    }

    @Test func aFileIsOfOneFormatOnly() {
        for (format, bytes) in Self.samples {
            for other in SealedFormat.allCases where other != .other {
                #expect((SealedHeader.read(bytes, as: other) != nil) == (format == other), "\(format) as \(other)")
            }
            #expect(SealedHeader.read(bytes, as: .other) == SealedHeader())
        }
    }

    @Test func aFileThatEndsEarlyIsNoneOrLacksItsArea() {
        for (format, bytes) in Self.samples {
            let whole = SealedHeader.read(bytes, as: format)
            for count in stride(from: 0, to: bytes.count - 1, by: 7) {
                let header = SealedHeader.read(Array(bytes.prefix(count)), as: format)
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
                    if let area = SealedHeader.read(changed, as: format)?.area {
                        #expect(area.height > 0 && area.width > 0)
                    }
                }
            }
        }
    }

    @Test func textsHaveOneLineAndNoCharactersThatAreNotSeen() {
        let comment = "first\nsecond\u{202E}third\u{0}  \u{200B}fourth\t"
        let header = SealedHeader.read(SealedBytes.mapsforge(comment: comment), as: .mapsforge)
        #expect(header?.attribution == "first secondthird fourth")
        let long = SealedBytes.mapsforge(comment: String(repeating: "x", count: 4000))
        #expect(SealedHeader.read(long, as: .mapsforge)?.attribution?.count == 2000)
        let blank = SealedBytes.mapsforge(comment: " \u{1} ")
        #expect(SealedHeader.read(blank, as: .mapsforge)?.attribution == nil)
    }

    @Test func anImpossibleDateIsNone() {
        #expect(SealedHeader.read(SealedBytes.organicMaps(version: 991_399), as: .organicmaps)?.date == nil)
        #expect(SealedHeader.read(SealedBytes.organicMaps(version: .max >> 1), as: .organicmaps)?.date == nil)
    }

    @Test func aHeaderThatNeverEndsIsGivenUp() {
        // A thousand parts and no end; and a length of a part that leaves the file.
        let endless = [UInt8]([8, 2]) + (0..<2000).flatMap { _ in [UInt8]([0x10, 1]) }
        #expect(SealedHeader.read(endless, as: .osmand) == nil)
        #expect(SealedHeader.read([8, 2, 0x36, 0xFF, 255, 255, 255, 255, 255, 255, 255], as: .osmand) == nil)
        #expect(SealedHeader.read([255, 255, 255, 255, 255, 255, 255, 255, 1], as: .organicmaps) == nil)
    }
}
