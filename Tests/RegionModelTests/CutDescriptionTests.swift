import Foundation
import RegionModel
import RegionTestSupport
import Testing

/// What an offer says of a part of a map.
@Suite struct CutDescriptionTests {
    private func region(_ part: String) throws -> Region {
        try JSONDecoder().decode(Region.self, from: Data((GoldenJSON.region.dropLast() + #","part":\#(part)}"#).utf8))
    }

    @Test func isReadAndWritten() throws {
        let part = CutDescription(
            names: ["Ridge", "Lake"],
            distance: 2000,
            area: BoundingBox(north: 43, south: 42, east: 2, west: 1),
            maximumZoom: 14,
            wholeTileCount: 5878,
            wholeSize: 69_000_000
        )
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
        #"{"tileCount":1,"fileSizeBytes":1,"along":[1]}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"along":["1","2","3","4","5","6","7","8","9"]}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"along":["\#(String(repeating: "x", count: 1001))"]}"#,
        #"{"tileCount":1,"fileSizeBytes":1,"area":{"north":1,"south":2,"east":3,"west":4}}"#,
    ])
    func whatIsNotPossibleIsIgnored(part: String) throws {
        #expect(try region(part).cut == nil)
    }

    @Test func twoPartsAreDescribedTogether() {
        let area = BoundingBox(north: 43, south: 42, east: 2, west: 1)
        let one = CutDescription(names: ["a", "b"], distance: 500, area: area, wholeTileCount: 10, wholeSize: 100)
        let two = CutDescription(names: ["b", "c"], distance: 900, maximumZoom: 3, wholeTileCount: 9, wholeSize: 200)
        #expect(
            one.joined(with: two)
                == CutDescription(names: ["a", "b", "c"], distance: 900, wholeTileCount: 10, wholeSize: 200)
        )
        let many = (0..<8).map { CutDescription(names: ["\($0)", "x\($0)"], wholeTileCount: 1, wholeSize: 1) }
        #expect(many.dropFirst().reduce(many[0]) { $0.joined(with: $1) }.names.count == CutDescription.maximumNameCount)
    }
}
