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
            (edition(1), edition(1), .same), (edition(1, nil, "2"), edition(1, nil, "1"), .newer),
            (edition(1, 1), edition(1, nil, "1"), .same), (edition(1, nil, "x"), edition(1, nil, "y"), .same),
            // Without a date on one side, the versions decide.
            (edition(2), edition(nil), .unknown), (edition(2, nil, "1"), edition(nil, nil, "1.0.1"), .older),
            // A joined map has several dates.
            (edition(3), edition(1, 2), .newer), (edition(2), edition(1, 2), .newer),
            (edition(1), edition(1, 2), .older),
            (edition(1, 2), edition(2, 3), .older), (edition(1, 3), edition(2, 4, "1"), .unknown),
            (edition(2), edition(1, 3, "1"), .unknown), (edition(1), edition(2, 3), .older),
            (edition(2, 4, "2"), edition(1, 3, "1"), .unknown), (edition(1, 3, "2"), edition(1, 3, "1"), .unknown),
            // A date in the future is none.
            (edition(1), edition(1000), .unknown), (edition(1, nil, "2"), edition(1000, nil, "1"), .newer),
            (edition(1), edition(999), .older), (edition(1, nil, "2"), edition(1, 1000, "1"), .newer),
            (edition(1000), edition(1000), .unknown), (edition(nil), edition(nil), .unknown),
        ] as [(MapEdition, MapEdition, MapEdition.Age)]
    )
    func datesDecideAndThenVersions(ours: MapEdition, theirs: MapEdition, age: MapEdition.Age) {
        #expect(ours.age(comparedWith: theirs, future: Self.now) == age)
        let opposite: MapEdition.Age = age == .newer ? .older : age == .older ? .newer : age
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

    /// Dates are sent in whole seconds.
    @Test func fractionsOfASecondAreNoDifference() {
        let (date, local) = (Self.day(1), MapEdition(date: Self.day(1) + 0.4))
        #expect(MapEdition(date: date).age(comparedWith: local, future: Self.now) == .same)
        #expect(MapEdition(date: date + 1).age(comparedWith: local, future: Self.now) == .newer)
        #expect(MapEdition(date: date).isTrue(of: local, comparedWith: nil, future: Self.now))
    }

    @Test(
        arguments: [
            // What is claimed is what the map states.
            (edition(1, 2, "1"), edition(1, 2, "1"), nil, true), (edition(1), edition(2), nil, false),
            (edition(1), edition(nil), nil, false), (edition(1, 2), edition(1), nil, false),
            (edition(1, 1), edition(1), nil, true), (edition(1, 2), edition(1, 3), nil, false),
            (edition(nil, nil, "1"), edition(nil, nil, "2"), nil, false),
            (edition(nil, nil, "1"), edition(nil), nil, false),
            // A date in the future is none, but it does not hide one.
            (edition(1000), edition(nil), nil, true), (edition(1000), edition(1001), nil, true),
            (edition(1000), edition(1), nil, false),
            // Less may be claimed, as by older programs.
            (edition(nil), edition(1, 2, "1"), nil, true), (edition(1), edition(1, 2, "1"), edition(0), true),
            (edition(nil), edition(1, nil, "1"), edition(2), true),
            // But not to make the map newer.
            (edition(nil, nil, "2"), edition(1, nil, "2"), edition(2, nil, "1"), false),
            (edition(nil, nil, "2"), edition(3, nil, "2"), edition(2, nil, "1"), true),
            (edition(1), edition(1, nil, "1"), edition(1, nil, "2"), false),
        ] as [(MapEdition, MapEdition, MapEdition?, Bool)]
    )
    func aMapIsAsOldAsWasClaimedForIt(claim: MapEdition, map: MapEdition, local: MapEdition?, isTrue: Bool) {
        #expect(claim.isTrue(of: map, comparedWith: local, future: Self.now) == isTrue)
    }

    @Test(
        arguments: [
            (edition(2), edition(1), "2024-04-22, yours 2024-04-21"),
            (edition(1, nil, "2"), edition(1, nil, "1.0"), "version 2, yours version 1.0"),
            (edition(1, nil, "2"), edition(nil, nil, "1.0"), "version 2, yours version 1.0"),
            (edition(1, 3, "2"), edition(2, 4, "1"), "2024-04-21 to 2024-04-23, yours 2024-04-22 to 2024-04-24"),
            (edition(1), edition(1), "2024-04-21, yours 2024-04-21"),
            (edition(1), edition(nil), "2024-04-21, yours states no date"),
            (edition(nil), edition(nil, nil, "1"), "it states no date, yours version 1"),
            (edition(nil, nil, "1) yours (2"), edition(nil), "neither states a date"),
            (edition(5000), edition(5000), "neither states a date"),
        ] as [(MapEdition, MapEdition, String)]
    )
    func bothAgesAreSaid(offered: MapEdition, local: MapEdition, words: String) {
        #expect(offered.words(comparedWith: local) == words)
    }

    @Test func ofOneDayTheTimesAreSaid() {
        let morning = Date(timeIntervalSince1970: 1_714_550_400)
        let words = MapEdition(date: morning + 60).words(comparedWith: MapEdition(date: morning))
        #expect(words == "2024-05-01T08:01:00Z, yours 2024-05-01T08:00:00Z")
    }

    @Test(arguments: [
        ("", nil), ("1\n2", nil), ("\u{0}", nil), (String(repeating: "1", count: 101), nil), ("a é", "a é"),
    ])
    func aVersionIsAShortLine(text: String, version: String?) {
        #expect(MapEdition(version: text).version == version)
    }
}
