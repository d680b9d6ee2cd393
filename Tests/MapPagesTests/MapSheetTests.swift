import Foundation
import GRDB
import PeerStorage
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages

/// The map on one sheet of paper.
@Suite struct MapSheetTests {
    /// The beginning of a JPEG image of 256 × 256 points, with bytes that stand for the rest.
    private static let jpeg =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 1, 0, 1, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        + Array("as it is in the map".utf8) + [0xFF, 0xD9]

    /// The beginning of a PNG image of 100,000 × 100,000 points.
    private static let hugePNG =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 100)

    private static func sheet(of content: any RegionContent) throws -> Data {
        var bytes: [UInt8] = []
        try MapSheet(of: content).write { bytes += $0 }
        let data = Data(bytes)
        #expect(data.starts(with: Data("%PDF-".utf8)) && data.suffix(10).range(of: Data("%%EOF".utf8)) != nil)
        return data
    }

    private static func count(_ text: String, in data: Data) -> Int {
        var (count, start) = (0, data.startIndex)
        while let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
            (count, start) = (count + 1, range.upperBound)
        }
        return count
    }

    /// Replaces tiles in a copy of the example's map.
    private static func map(_ tile: [UInt8], _ condition: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path(UUID().uuidString + ".mbtiles")
        try FileManager.default.copyItem(atPath: ExampleSite.example("coma-pedrosa.mbtiles"), toPath: path)
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(sql: "UPDATE tiles SET tile_data = ? WHERE \(condition)", arguments: [Data(tile)])
        }
        try queue.close()
        return path
    }

    @Test func thePictureIsOnOnePage() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let sheet = try Self.sheet(of: StoredRegionContent(example.id, in: example.store))
            // Every tile of the zoom level.
            #expect(Self.count("/Subtype /Image", in: sheet) >= 80)
            #expect(sheet.count < 5_000_000)
        }
    }

    /// With thousands of waypoints, the legend has each of them, on further pages.
    @Test(arguments: [46, 336, 5_046])
    func theLegendIsComplete(count: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let places = (0..<count).map {
                #"<wpt lat="\#(42.56 + Double($0 % 71) * 0.0008)" lon="\#(1.42 + Double($0 % 73) * 0.0014)"><name>P</name></wpt>"#
            }
            let gpx = try ExampleSite.gpx(places.joined(), in: directory)
            let example = try ExampleSite(in: directory, gpx: [gpx])
            let content = StoredRegionContent(example.id, in: example.store)
            #expect(Self.count("/Subtype /Image", in: try Self.sheet(of: content)) >= 80)
            let tiles = try #require(OfflinePage(of: content).picture(upToZoom: .max))
            let sheet = try content.withItems { try SheetContent($0, tiles) }
            #expect(sheet.items.markers.count == count && sheet.head.leftOut.isEmpty)
        }
    }

    /// Each entry has a place of its own on one of the pages.
    @Test(arguments: [0, 1, 44, 45, 90, 91, 5_000])
    func entriesHavePlacesOfTheirOwn(count: Int) throws {
        let box = PictureFrame.Box(left: 600, top: 70, width: 180, height: 480)
        let further = PictureFrame.Box(left: 30, top: 70, width: 780, height: 480)
        let legend = SheetLegend(of: count, in: box, further: further)
        #expect(legend.places.count == count && Set(legend.places).count == count)
        #expect(legend.isDense == (count > 22) && (legend.continuation == nil) == (legend.pageCount == 1))
        #expect(legend.places.map(\.page) == legend.places.map(\.page).sorted())
        let continuation = legend.continuation
        #expect(continuation.map { legend.places.contains($0) } != true)
        for place in legend.places {
            let page = place.page == 0 ? box : further
            #expect(place.left >= page.left && place.left + place.width <= page.left + page.width + 0.01)
            #expect(place.top >= page.top && place.top + 9 <= page.top + page.height)
        }
    }

    @Test func withoutRoomNothingIsLaidOut() {
        let nothing = PictureFrame.Box(left: 0, top: 0, width: 0, height: -5)
        let legend = SheetLegend(of: 10, in: nothing, further: nothing)
        #expect(legend.places.isEmpty && legend.continuation == nil && legend.pageCount == 1)
    }

    @Test func jpegTilesAreInItAsTheyAre() async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            let path = try Self.map(Self.jpeg, "true", in: directory)
            example.id = try example.store.importMap(at: path, name: "JPEG").region.id
            let sheet = try Self.sheet(of: StoredRegionContent(example.id, in: example.store))
            #expect(Self.count("as it is in the map", in: sheet) >= 80)
        }
    }

    @Test func imagesThatAreTooLargeAreLeftOut() async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            let path = try Self.map(Self.hugePNG, "tile_column % 2 = 0", in: directory)
            let whole = try Self.sheet(of: StoredRegionContent(example.id, in: example.store))
            example.id = try example.store.importMap(at: path, name: "Huge").region.id
            let sheet = try Self.sheet(of: StoredRegionContent(example.id, in: example.store))
            let images = (Self.count("/Subtype /Image", in: sheet), Self.count("/Subtype /Image", in: whole))
            #expect(images.0 > 0 && images.0 < images.1)
        }
    }

    @Test func brokenImagesAreLeftOut() async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            var broken = Self.hugePNG
            broken.replaceSubrange(16..<24, with: [0, 0, 1, 0, 0, 0, 1, 0])
            let path = try Self.map(broken, "tile_column % 2 = 0", in: directory)
            example.id = try example.store.importMap(at: path, name: "Broken").region.id
            let sheet = try Self.sheet(of: StoredRegionContent(example.id, in: example.store))
            #expect(Self.count("/Subtype /Image", in: sheet) > 0)
        }
    }

    @Test func aMapWithVectorTilesHasNoSheet() async throws {
        try await TemporaryDirectory.with { directory in
            var example = try ExampleSite(in: directory)
            let path = directory.path("v.mbtiles")
            try MapCopies.makeVector(path)
            example.id = try example.store.importMap(at: path, name: "Vector").region.id
            let content = StoredRegionContent(example.id, in: example.store)
            let error = #expect(throws: RegionStoreError.self) { try MapSheet(of: content) }
            #expect(error?.code == .invalidArgument && error?.message.contains("PNG or JPEG") == true)
        }
    }

    @Test func anotherProcessDrawsTheSameOfADescription() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let downloads = try example.share(personal: true).downloads
            let file = try downloads.temporaryFile()
            let sheet = try MapSheet(of: downloads)
            try sheet.describe(to: file)
            let length = try file.size()
            let images = try [sheet, MapSheet(describedIn: file)].map { sheet in
                var data = Data()
                try sheet.write { data += $0 }
                return Self.count("/Subtype /Image", in: data)
            }
            #expect(images[0] == images[1] && images[0] >= 80)
            // What is cut off is no description.
            try file.resize(to: length - 1)
            #expect(throws: RegionStoreError.self) { try MapSheet(describedIn: file).write { _ in } }
            try file.resize(to: 10)
            #expect(throws: RegionStoreError.self) { try MapSheet(describedIn: file) }
        }
    }

    @Test func withoutAYesThereIsNoHikeOnIt() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            for isPersonal in [false, true] {
                let downloads = try example.share(personal: isPersonal).downloads
                let content = try SheetContent(
                    downloads,
                    try #require(OfflinePage(of: downloads).picture(upToZoom: .max))
                )
                #expect(content.items.lines.map(\.isDashed) == (isPersonal ? [false, true] : [true]))
                #expect(content.items.markers.count == 46)
                // The process that draws it gets no more.
                let file = try downloads.temporaryFile()
                try MapSheet(of: downloads).describe(to: file)
                let description = try file.bytes(Int(file.size()), at: 0)
                #expect((Data(description).range(of: Data("Estany - Estany Forcat".utf8)) != nil) == isPersonal)
            }
        }
    }
}
