import FoundationEssentials
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands

@Suite struct WordingTests {
    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (98_304, "98 kB"),
            (999_499, "999 kB"), (999_500, "1.0 MB"), (2_613_248, "2.6 MB"), (999_949_999, "999.9 MB"),
            (999_950_000, "1.00 GB"), (1_310_000_000, "1.31 GB"), (.max, "18446744073.71 GB"),
        ] as [(UInt64, String)]
    )
    func writesSizes(bytes: UInt64, words: String) {
        #expect(Wording.size(bytes) == words)
    }

    @Test(
        arguments: [
            (0, ""), (0.5, ""), (-1, ""), (.nan, ""), (.infinity, ""), (1_250_000, "1.3 MB/s"),
            (1e30, "1000000000.00 GB/s"),
        ] as [(Double, String)]
    )
    func writesRates(rate: Double, words: String) {
        #expect(Wording.rate(rate) == words)
    }

    @Test(
        arguments: [
            (-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min 00 s"), (200, "3 min 20 s"), (3600, "1 h 00 min"),
            (7500, "2 h 05 min"), (400_000, "more than 99 h"),
        ] as [(Int, String)]
    )
    func writesTimes(seconds: Int, words: String) {
        #expect(Wording.duration(.seconds(seconds)) == words)
    }

    /// The script of the pages rounds in the same way.
    @Test(
        arguments: [
            (-5, "0 s"), (0, "0 s"), (59.4, "59 s"), (59.5, "1 min"), (200, "3 min"), (3569, "59 min"),
            (3570, "1 h 00 min"), (7500, "2 h 05 min"), (10_854, "3 h 01 min"), (396_000, "110 h 00 min"),
            (.nan, "0 s"),
        ] as [(Double, String)]
    )
    func writesTimesOfHikes(seconds: Double, words: String) {
        #expect(Wording.duration(seconds: seconds) == words)
    }

    @Test(
        arguments: [
            (0, "0 m"), (849.6, "850 m"), (999.6, "1.0 km"), (8033, "8.0 km"), (99_949, "99.9 km"), (123_456, "123 km"),
            (.nan, "?"), (-1, "?"), (.infinity, "?"),
        ] as [(Double, String)]
    )
    func writesDistances(metres: Double, words: String) {
        #expect(Wording.distance(metres) == words)
    }

    @Test(
        arguments: [(0, "0 %"), (0.999, "99 %"), (1, "100 %"), (7, "100 %"), (-1, "0 %"), (.nan, "0 %")]
            as [(Double, String)]
    )
    func writesPercentagesWithoutPromisingTooMuch(fraction: Double, words: String) {
        #expect(Wording.percent(fraction) == words)
    }

    @Test(
        arguments: [
            (1.005, 1, "1.0"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.3"), (12.5, 0, "13"), (0.05, 2, "0.05"),
            (1e16, 1, "?"), (.nan, 1, "?"),
        ] as [(Double, Int, String)]
    )
    func writesDecimals(value: Double, places: Int, words: String) {
        #expect(Wording.decimal(value, places: places) == words)
    }

    @Test func writesAreas() throws {
        #expect(Wording.extent(try Sample.box()) == "9.2 × 6.8 km")
        #expect(Wording.bounds(try Sample.box()) == "42.5560° to 42.6175° N, 1.4130° to 1.5255° E")
        let south = try #require(BoundingBox(north: -33, south: -34, east: -70, west: -71))
        #expect(Wording.bounds(south) == "34.0000° to 33.0000° S, 71.0000° to 70.0000° W")
        let middle = try #require(BoundingBox(north: 1, south: -1, east: 1, west: -1))
        #expect(Wording.bounds(middle) == "1.0000° S to 1.0000° N, 1.0000° W to 1.0000° E")
        let point = try #require(BoundingBox(north: 90, south: 90, east: 1, west: 1))
        #expect(Wording.extent(point) == "0.0 × 0.0 km")
    }

    @Test func writesAnAreaAcross180() throws {
        let area = try #require(BoundingBox(north: -16, south: -17, east: -179, west: 179))
        #expect(Wording.bounds(area) == "17.0000° to 16.0000° S, 179.0000° E to 179.0000° W")
        #expect(Wording.extent(area) == "213 × 111 km")
    }

    @Test(
        arguments: [
            ([12, 13, 14, 15], "zooms 12-15"), ([14], "zoom 14"), ([8, 11, 14], "zooms 8, 11, 14"),
            ([8, 9, 10, 11, 16], "zooms 8-11, 16"),
        ]
    )
    func writesZooms(levels: [Int], words: String) {
        #expect(Wording.zoomWords(levels) == words)
    }

    @Test func writesImpossibleDatesAsUnknown() {
        #expect(Wording.time(Date(timeIntervalSince1970: .nan)) == "?")
        #expect(Wording.time(Date(timeIntervalSince1970: 1e300)) == "?")
        #expect(Wording.time(Sample.date).hasPrefix("2025-06-1"))
    }
}
