import Foundation
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import TrackFiles

/// Damaged and hostile files of all formats.
@Suite(.timeLimit(.minutes(10))) struct HostileFormatTests {
    static let originals: [[UInt8]] = [
        Array(KMLTests.full.utf8), Array(TCXTests.full.utf8), Array(GeoJSONTests.full.utf8),
        FITMaker.activity().finished(), FITMaker.course().finished(headerLength: 12),
        Array(ZIPMaker.file([ZIPMaker.Entry(name: "doc.kml", content: Array(KMLTests.full.utf8))])),
        Array(ZIPMaker.file([ZIPMaker.Entry(name: "doc.kml", content: Array(KMLTests.full.utf8), isDeflated: false)])),
    ]

    /// Reads a file, and writes what it has.
    private static func tryOut(_ bytes: [UInt8], _ comment: String) {
        do {
            let document = try TrackFileReader(now: GPXReaderTests.now).read(Data(bytes), named: "file")
            for hike in document.savedRoutes { _ = try hike.fileTrack }
            #expect(GPXStructure.faults(in: try GPXWriter.data(document)) == [], "\(comment)")
        } catch {
            #expect((error as? RegionStoreError)?.code == .invalidFile, "\(comment): \(error)")
            #expect((error as? RegionStoreError)?.remedy?.isEmpty == false, "\(comment): \(error)")
        }
    }

    @Test(arguments: originals.indices) func everyCutIsReadOrRefused(index: Int) {
        let whole = Self.originals[index]
        for length in stride(from: 0, to: whole.count, by: whole.count > 1000 ? 7 : 1) {
            Self.tryOut(Array(whole[..<length]), "\(index), \(length)")
        }
    }

    @Test(arguments: originals.indices) func neverTrapsOnDamage(index: Int) {
        var generator = SeededGenerator(seed: UInt64(index))
        let scraps = ["<", "</", ">", "]", "[", "{", "\"", "1e999", "nan", "-", "<![CDATA[", "\0", ",", "<kml>"]
        for round in 0..<300 {
            var bytes = Self.originals[index]
            for _ in 0...Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[position] = .random(in: 0...255, using: &generator)
                case 1: bytes[position] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
                case 2:
                    bytes.insert(contentsOf: (scraps.randomElement(using: &generator) ?? "").utf8, at: position)
                default: bytes.removeSubrange(position..<min(bytes.count, position + 30))
                }
            }
            Self.tryOut(bytes, "\(index), round \(round)")
        }
    }

    /// Damage behind a checksum that is right.
    @Test func neverTrapsOnWrongMessages() {
        var generator = SeededGenerator(seed: 9)
        for round in 0..<300 {
            var bytes = Array(FITMaker.activity().finished().dropLast(2))
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                let position = Int.random(in: 14..<bytes.count, using: &generator)
                bytes[position] =
                    [0, 0xFF, 0x7F, 0x80, .random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            Self.tryOut(bytes + FITMaker.checksum(bytes), "round \(round)")
        }
    }

    @Test func neverTrapsOnWrongArchives() {
        var generator = SeededGenerator(seed: 10)
        let whole = Self.originals[6]
        for round in 0..<500 {
            var bytes = whole
            // The list of the entries, and its end.
            let position = Int.random(in: (whole.count - 75)..<whole.count, using: &generator)
            bytes[position] =
                [0, 0xFF, 0x7F, 0x80, .random(in: 0...255, using: &generator)]
                .randomElement(using: &generator) ?? 0
            Self.tryOut(bytes, "round \(round), \(position)")
        }
    }

    @Test(arguments: ["kml", "TrainingCenterDatabase"]) func refusesEntitiesAndDepth(root: String) {
        let entity = "<!DOCTYPE \(root) [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><\(root)>&f;</\(root)>"
        let deep = "<\(root)>" + String(repeating: "<Folder>", count: 200)
        for (text, reason) in [(entity, "document type"), (deep, "nested too deeply")] {
            let error = #expect(throws: RegionStoreError.self) { try TrackFileReader().read(Data(text.utf8)) }
            #expect(error?.message.contains(reason) == true)
        }
    }

    /// To compare a megabyte of combining marks as characters takes a minute.
    @Test func manyMarksTakeLittleTime() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 250_000)
        let styles =
            "<StyleMap id='a'><Pair><key>\(marks)</key></Pair><Pair><key>normal</key><styleUrl>#\(marks)</styleUrl></Pair>"
            + "</StyleMap><Style id='b'><IconStyle><Icon><href>\(marks)</href></Icon></IconStyle></Style>"
        let point = "<Point><altitudeMode>\(marks)</altitudeMode><coordinates>1,2</coordinates></Point>"
        let track = "<Track>" + String(repeating: "<coord>\(marks)</coord>", count: 4) + "</Track>"
        let text = "<kml>\(styles)<Placemark><styleUrl>#\(marks)</styleUrl>\(point)\(track)</Placemark></kml>"
        let document = try TrackFileReader().read(Data(text.utf8))
        #expect(document.waypoints.count == 1)
        #expect(document.leftOut.contains("4 points without a valid position"))
    }

    @Test func boundsTheMemoryOfEachFormat() {
        var reader = TrackFileReader()
        reader.limits.heldLength = 1 << 16
        let positions = String(repeating: "1,2,3 ", count: 5000)
        let times = String(repeating: "<when>2024-01-01T00:00:00Z</when>", count: 5000)
        let values = String(repeating: "<value>1</value>", count: 20_000)
        var fit = FITMaker()
        fit.define(0, 20, [.sint32(0), .sint32(1)])
        for _ in 0..<5000 { fit.add(0, [1, 1]) }
        // Properties stay in memory while the features behind them are read.
        let text = String(repeating: "x", count: 20_000)
        let nested = (0..<6).reduce("1") { inner, _ in
            #"{"type":"FeatureCollection","properties":{"name":"\#(text)"},"features":[\#(inner)]}"#
        }
        let point =
            "<Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position>"
            + "</Trackpoint>"
        let files = [
            "<kml><Placemark><LineString><coordinates>\(positions)</coordinates></LineString></Placemark></kml>",
            "<kml><Placemark><Point><coordinates>\(positions)</coordinates></Point></Placemark></kml>",
            "<kml><Placemark><Track>\(times)</Track></Placemark></kml>",
            "<kml><Placemark><Track><ExtendedData><SimpleArrayData name='cadence'>\(values)</SimpleArrayData></ExtendedData>"
                + "</Track></Placemark></kml>",
            "<TrainingCenterDatabase><Activities><Activity><Lap><Track>\(String(repeating: point, count: 5000))"
                + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>",
            #"{"type":"LineString","coordinates":["# + String(repeating: "[1,2],", count: 5000) + "[1,2]]}",
            nested,
        ].map { Data($0.utf8) }
        for data in files + [Data(fit.finished())] {
            let error = #expect(throws: RegionStoreError.self) { try reader.read(data) }
            #expect(error?.message == "The file has too much content to be imported at once.")
        }
    }
}
