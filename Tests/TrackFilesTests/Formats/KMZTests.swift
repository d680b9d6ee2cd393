import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// KML files in ZIP files.
@Suite struct KMZTests {
    private static let kml = Array(
        "<kml><Placemark><name>A</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>".utf8
    )

    private static func read(_ data: Data, limits: GPXLimits = .file) throws(RegionStoreError) -> GPXDocument {
        try TrackFileReader(now: GPXReaderTests.now, limits: limits).read(data, named: "file")
    }

    private static func message(_ data: Data, limits: GPXLimits = .file) -> String? {
        let error = #expect(throws: RegionStoreError.self) { try read(data, limits: limits) }
        #expect(error?.code == .invalidFile && error?.remedy?.isEmpty == false)
        return error?.message
    }

    @Test(arguments: [false, true]) func readsTheFirstFile(isDeflated: Bool) throws {
        let data = ZIPMaker.file(
            [
                ZIPMaker.Entry(name: "files/photo.JPG", content: [1, 2, 3], isDeflated: false),
                ZIPMaker.Entry(name: "other.kml", content: Array("<kml/>".utf8)),
                ZIPMaker.Entry(name: "doc.kml", content: Self.kml, isDeflated: isDeflated),
                ZIPMaker.Entry(name: "files/", content: []), ZIPMaker.Entry(name: "files/model", content: [1]),
            ],
            comment: "made by a test"
        )
        let document = try Self.read(data)
        #expect(document.waypoints.map(\.label) == ["A"])
        #expect(document.leftOut == ["further KML file", "further file", "picture"])
        let plain = try Self.read(Data(Self.kml))
        #expect(document.waypoints == plain.waypoints)
    }

    @Test func refusesWhatItCannotRead() {
        let entry = ZIPMaker.Entry(name: "doc.kml", content: Self.kml)
        #expect(
            Self.message(ZIPMaker.file([ZIPMaker.Entry(name: "a.txt", content: [1])]))?.contains("ZIP file without")
                == true
        )
        var other = entry
        other.flags = 1
        #expect(Self.message(ZIPMaker.file([other])) == "The ZIP or KMZ file needs a password.")
        other = entry
        other.method = 12
        #expect(Self.message(ZIPMaker.file([other]))?.contains("another method than deflate") == true)
        var large = ZIPMaker.file([entry])
        large.replaceSubrange((large.count - 12)..<(large.count - 2), with: Array(repeating: 0xFF, count: 10))
        #expect(Self.message(large)?.contains("more than 4 GB") == true)
    }

    @Test func wrongSizesAndChecksumsAreDamage() {
        let entry = ZIPMaker.Entry(name: "doc.kml", content: Self.kml)
        for change: (inout ZIPMaker.Entry) -> Void in [
            { $0.size = 5 }, { $0.size = 5000 }, { $0.checksum = 1 }, { $0.method = 0 },
            { ($0.isDeflated, $0.method) = (false, 8) }, { ($0.isDeflated, $0.size) = (false, 3) },
        ] {
            var wrong = entry
            change(&wrong)
            #expect(Self.message(ZIPMaker.file([wrong])) == "The ZIP or KMZ file is damaged or not complete.")
        }
    }

    @Test func aBombIsRefusedBeforeItIsInflated() {
        var limits = GPXLimits.file
        limits.fileSize = 1_000_000
        let spaces = Self.kml + Array(repeating: 0x20, count: 2_000_000)
        let honest = ZIPMaker.file([ZIPMaker.Entry(name: "a.kml", content: spaces)])
        #expect(Self.message(honest, limits: limits) == "The ZIP or KMZ file has a KML file of more than 1 MB.")
        let lying = ZIPMaker.file([ZIPMaker.Entry(name: "a.kml", content: spaces, size: 1000)])
        #expect(Self.message(lying, limits: limits) == "The ZIP or KMZ file is damaged or not complete.")
    }

    @Test func everyCutIsRefused() {
        let whole = ZIPMaker.file([ZIPMaker.Entry(name: "doc.kml", content: Self.kml)])
        for length in 4..<whole.count { #expect(throws: RegionStoreError.self) { try Self.read(whole.prefix(length)) } }
    }
}
