import Foundation
import RegionModel
import Testing

/// Which of two maps is newer.
@Suite struct MapEditionTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static func day(_ number: Int) -> Date { now.addingTimeInterval(Double(number - 1000) * 86_400) }

    private static func edition(_ date: Int?, _ newest: Int? = nil, _ version: String? = nil) -> MapEdition {
        MapEdition(date: date.map(day), newestDate: newest.map(day), version: version)
    }

    @Test(
        arguments: [
            // The dates decide, whatever the versions are.
            (edition(2), edition(1), .newer), (edition(2, nil, "1"), edition(1, nil, "2"), .newer),
            // The same date is no order, and the versions decide.
            (edition(1), edition(1), .unknown), (edition(1, nil, "2"), edition(1, nil, "1"), .newer),
            // Without a date on one side, the versions decide.
            (edition(2), edition(nil), .unknown), (edition(2, nil, "1"), edition(nil, nil, "1.0.1"), .older),
            // A joined map has several dates.
            (edition(3), edition(1, 2), .newer), (edition(2), edition(1, 2), .unknown),
            (edition(2), edition(1, 3, "1"), .unknown), (edition(1), edition(2, 3), .older),
            (edition(2, 4, "2"), edition(1, 3, "1"), .unknown), (edition(1, 3, "2"), edition(1, 3, "1"), .unknown),
            // A date in the future is none.
            (edition(1), edition(1000), .unknown), (edition(1, nil, "2"), edition(1000, nil, "1"), .newer),
            (edition(1), edition(999), .older), (edition(1, nil, "2"), edition(1, 1000, "1"), .newer),
            (edition(nil), edition(nil), .unknown),
        ] as [(MapEdition, MapEdition, MapEdition.Age)]
    )
    func datesDecideAndThenVersions(ours: MapEdition, theirs: MapEdition, age: MapEdition.Age) {
        #expect(ours.age(comparedWith: theirs, future: Self.now) == age)
        let opposite: MapEdition.Age = age == .newer ? .older : age == .older ? .newer : .unknown
        #expect(theirs.age(comparedWith: ours, future: Self.now) == opposite)
    }

    @Test(
        arguments: [
            ("1.1.0", "1.0.0", .newer), ("1.10", "1.9", .newer), ("v2", "1.9", .newer), ("2", "2.0.0", .unknown),
            ("1", "1.0.1", .older), ("20261101", "20261031", .newer), ("1.0-beta", "1.0", .unknown),
            ("", "1", .unknown), (".", "1", .unknown), ("-1", "1", .unknown), ("１", "2", .unknown),
            ("99999999999999999999", "1", .unknown), (String(repeating: "1.", count: 60) + "1", "1", .unknown),
        ] as [(String, String, MapEdition.Age)]
    )
    func versionsAreComparedAsNumbers(ours: String, theirs: String, age: MapEdition.Age) {
        #expect(MapEdition(version: ours).age(comparedWith: MapEdition(version: theirs)) == age)
    }
}
