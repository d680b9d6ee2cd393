import Foundation
import PeerProtocol
import RegionModel
import RegionTestSupport
import Testing

/// What an offer says of a part of a map.
@Suite struct CutDescriptionTests {
    private func region(_ part: String) throws -> Region {
        try JSONDecoder().decode(Region.self, from: Data((GoldenJSON.region.dropLast() + #","part":\#(part)}"#).utf8))
    }

    @Test func isReadAndWritten() throws {
        var part = CutDescription(
            names: ["Ridge", "Lake"],
            distance: 2000,
            area: BoundingBox(north: 43, south: 42, east: 2, west: 1),
            maximumZoom: 14,
            wholeTileCount: 5878,
            wholeSize: 69_000_000
        )
        part.wholeDigest = ContentDigest(hashing: [1])
        var region = try region("null")
        #expect(region.cut == nil)
        region.cut = part
        #expect(try JSONDecoder().decode(Region.self, from: JSONEncoder().encode(region)) == region)
    }

    /// What cannot be true is ignored.
    @Test(arguments: [
        "7", "[]", "{}", #"{"tileCount":0,"fileSizeBytes":1}"#, #"{"tileCount":1,"fileSizeBytes":0}"#,
        #"{"tileCount":1e300,"fileSizeBytes":1}"#, #"{"tileCount":1,"fileSizeBytes":-5}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"maxZoom":31}"#, #"{"tileCount":1,"fileSizeBytes":1,"within":-1}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"within":1e300}"#, #"{"tileCount":1,"fileSizeBytes":1,"along":"x"}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"along":[1]}"#, #"{"tileCount":1,"fileSizeBytes":1,"digest":"7"}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"along":["1","2","3","4","5","6","7","8","9"]}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"along":["\#(String(repeating: "x", count: 1001))"]}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"area":{"north":1,"south":2,"east":3,"west":4}}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"area":{"north":1,"south":1,"east":3,"west":2}}"#,
    ])
    func whatIsNotPossibleIsIgnored(part: String) throws {
        #expect(try region(part).cut == nil)
    }

    @Test func twoPartsAreDescribedTogether() throws {
        func part(
            _ names: [String],
            _ distance: Double? = nil,
            area: BoundingBox? = nil,
            _ zoom: Int? = nil
        ) -> CutDescription {
            CutDescription(
                names: names,
                distance: distance,
                area: area,
                maximumZoom: zoom,
                wholeTileCount: 10,
                wholeSize: 200
            )
        }
        let area = BoundingBox(north: 43, south: 42, east: 2, west: 1)
        // A strip that lies in the other is no news, and the distance is one that both have.
        #expect(part(["a"], 500).joined(with: part(["a"], 2000)) == part(["a"], 2000))
        #expect(part(["a", "b"], 500).joined(with: part(["b"], 300)) == part(["a", "b"], 500))
        let both = part(["a"], 3000).joined(with: part(["b"], 300))
        #expect(both.names == ["a", "b"] && both.distances == [3000, 300] && both.distance == 300)
        // Each strip keeps its width, also as JSON, and a third one joins them.
        let read = try JSONDecoder().decode(CutDescription.self, from: JSONEncoder().encode(both))
        #expect(read == both)
        let three = both.joined(with: part(["c"], 50))
        #expect(three.distances == [3000, 300, 50] && three.distance == 50)
        #expect(three.joined(with: part(["c"], 3000)).distances == [3000, 300, 3000])
        #expect(both.includes(part(["a"], 3000)) && !both.includes(part(["b"], 301)) && both.includes(part(["b"], 300)))
        #expect(part(["b"], 3000).joined(with: both).distances == [])
        // What is told holds up to the highest zoom level of both.
        #expect(part(["a"], 500, 12).joined(with: part(["b"], 900)) == part(["b"], 900))
        #expect(part(["a"], 500, 12).joined(with: part(["a"], 2000, 10)) == part(["a"], 500, 12))
        #expect(part([], nil, 12).joined(with: part(["a"], 500, 14)) == part(["a"], 500, 14))
        #expect(part(["a"], 500, 14).joined(with: part([], area: area, 16)) == part([]))
        #expect(part(["a"], 500, 14).joined(with: part([])) == part([]))
        #expect(part([], area: area).joined(with: part([])) == part([]))
        // What has no words together is left out, and a strip stays.
        #expect(part(["a"], 500).joined(with: part([], area: area)) == part(["a"], 500))
        #expect(part([], area: area).joined(with: part(["a"], 500)) == part(["a"], 500))
        #expect(part([], nil, 12).joined(with: part([], area: area)) == part([]))
        #expect(part([]).joined(with: part(["a"], 500)) == part(["a"], 500))
        // The whole is that of the larger.
        let one = CutDescription(wholeTileCount: 10, wholeSize: 100).joined(
            with: .init(wholeTileCount: 9, wholeSize: 200)
        )
        #expect(one == part([]))
        let many = (0..<8).map { CutDescription(names: ["\($0)", "x\($0)"], wholeTileCount: 1, wholeSize: 1) }
        #expect(many.dropFirst().reduce(many[0]) { $0.joined(with: $1) }.names.count == CutDescription.maximumNameCount)
    }

    @Test func partsOfDifferentMapsAreOfNoKnownOne() throws {
        let maps = [1, 2 as UInt8].map { byte -> CutDescription in
            var part = CutDescription(names: ["a"], wholeTileCount: 10, wholeSize: 100)
            part.wholeDigest = ContentDigest(hashing: [byte])
            return part
        }
        #expect(maps[0].joined(with: maps[0]) == maps[0] && maps[0].joined(with: maps[1]).wholeDigest == nil)
        #expect(maps[1].cut(from: maps[0]) == maps[0])
    }

    /// A size that is only estimated is none beside a known one.
    @Test func aKnownSizeCounts() throws {
        let known = CutDescription(wholeTileCount: 10, wholeSize: 100)
        var estimate = CutDescription(wholeTileCount: 12, wholeSize: 900)
        estimate.isSizeEstimated = true
        for joined in [known.joined(with: estimate), estimate.joined(with: known)] {
            #expect(joined.wholeSize == 100 && joined.wholeTileCount == 12 && !joined.isSizeEstimated)
        }
        #expect(estimate.joined(with: estimate).isSizeEstimated && known.cut(from: estimate).isSizeEstimated)
        let read = try JSONDecoder().decode(CutDescription.self, from: JSONEncoder().encode(estimate))
        #expect(read == estimate)
    }

    /// A part of a part says where it is only if the part has all of that.
    @Test func aPartOfAPartSaysNoMoreThanIsThere() {
        func part(_ names: [String], _ distance: Double?) -> CutDescription {
            CutDescription(names: names, distance: distance, wholeTileCount: 7, wholeSize: 70)
        }
        let whole = CutDescription(names: ["a", "b"], distance: 500, wholeTileCount: 10, wholeSize: 100)
        #expect(part(["a"], 500).cut(from: whole).names == ["a"])
        #expect(part(["a"], 600).cut(from: whole) == CutDescription(wholeTileCount: 10, wholeSize: 100))
        #expect(part(["c"], 100).cut(from: whole).names.isEmpty)
        #expect(part([], nil).cut(from: whole).distance == nil)
    }
}
