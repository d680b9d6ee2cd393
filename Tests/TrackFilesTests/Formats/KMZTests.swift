import Foundation
import RegionModel
import Testing

@testable import TrackFiles

/// KML files in ZIP files.
@Suite struct KMZTests {
    private static let kml = Array(
        "<kml><Placemark><name>A</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>".utf8
    )

    private static func read(_ data: Data, limits: TrackFileLimits = .file) throws(RegionStoreError) -> TrackDocument {
        try TrackFileReader(now: GPXReaderTests.now, limits: limits).read(data, named: "file")
    }

    private static func message(_ data: Data, limits: TrackFileLimits = .file) -> String? {
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

    private static func point(_ name: String) -> String {
        "<Placemark><name>\(name)</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
    }

    private static func link(_ address: String) -> String {
        "<NetworkLink><name>x</name><Link><href>\(address)</href></Link></NetworkLink>"
    }

    private static func entry(_ name: String, _ content: String) -> ZIPMaker.Entry {
        ZIPMaker.Entry(name: name, content: Array("<kml><Document>\(content)</Document></kml>".utf8))
    }

    /// As Organic Maps exports all lists.
    @Test func readsTheFilesThatAFileOfTheArchiveLinksTo() throws {
        let links = [
            "files/My%20huts.kml", "./b.kml#all", "b.kml", "files/../c.kml", "http://example.org/d.kml", "e.kml",
        ]
        let document = try Self.read(
            ZIPMaker.file([
                Self.entry("b.kml", Self.point("B") + Self.link("doc.kml")),
                Self.entry("doc.kml", "<name>All</name>" + links.map(Self.link).joined() + "<NetworkLink/>"),
                Self.entry("files/My huts.kml", Self.point("H") + Self.link("../c.kml") + Self.link("../../b.kml")),
                Self.entry("c.kml", Self.point("C")), Self.entry("f.kml", Self.point("F")),
                ZIPMaker.Entry(name: "__MACOSX/files/._c.kml", content: [0, 5, 22, 7]),
            ])
        )
        #expect(document.name == "All" && document.waypoints.map(\.label) == ["H", "B", "C"])
        #expect(document.leftOut == ["NetworkLink (3 times)", "further KML file"])
    }

    @Test func linkedFilesCountTogether() {
        var limits = TrackFileLimits.file
        limits.fileSize = 1_000_000
        let spaces = String(repeating: " ", count: 300_000)
        let files = (0..<4).map { Self.entry("\($0).kml", spaces + Self.link("\($0 + 1).kml")) }
        #expect(Self.message(ZIPMaker.file(files), limits: limits) == "The ZIP or KMZ file has more than 1 MB of KML.")
        #expect(Self.message(ZIPMaker.file(files))?.hasPrefix("The file has no waypoints") == true)
    }

    @Test func whatMacOSAddsIsNoFile() throws {
        let document = try Self.read(
            ZIPMaker.file([
                ZIPMaker.Entry(name: "__MACOSX/._x.kml", content: [0, 5, 22, 7]),
                ZIPMaker.Entry(name: "._x.kml", content: [0, 5, 22, 7]),
                ZIPMaker.Entry(name: ".DS_Store", content: [1]),
                ZIPMaker.Entry(name: "x.kml", content: Self.kml),
            ])
        )
        #expect(document.waypoints.map(\.label) == ["A"] && document.leftOut.isEmpty)
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
        var limits = TrackFileLimits.file
        limits.fileSize = 1_000_000
        let spaces = Self.kml + Array(repeating: 0x20, count: 2_000_000)
        let honest = ZIPMaker.file([ZIPMaker.Entry(name: "a.kml", content: spaces)])
        #expect(Self.message(honest, limits: limits) == "The ZIP or KMZ file has more than 1 MB of KML.")
        let lying = ZIPMaker.file([ZIPMaker.Entry(name: "a.kml", content: spaces, size: 1000)])
        #expect(Self.message(lying, limits: limits) == "The ZIP or KMZ file is damaged or not complete.")
    }

    @Test func everyCutIsRefused() {
        let whole = ZIPMaker.file([ZIPMaker.Entry(name: "doc.kml", content: Self.kml)])
        for length in 4..<whole.count { #expect(throws: RegionStoreError.self) { try Self.read(whole.prefix(length)) } }
    }
}
