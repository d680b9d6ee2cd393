import Foundation
import RegionModel
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2001-01-01T00:00:00Z", 978_307_200), ("1969-12-31T23:59:59Z", -1),
        ("2000-02-29T12:00:00Z", 951_825_600), ("1901-12-13T20:45:52.2073437Z", -2_147_483_647.7926563),
        ("2026-02-05T16:00:00.5+01:30", 1_770_301_800.5), ("2026-02-05T16:00:00", 1_770_307_200),
        (" 2026-02-05T16:00Z\n", 1_770_307_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("2026-02-04T24:00:00Z", 1_770_249_600), ("2026-02-05 16:00:00,25-05", 1_770_325_200.25),
    ])
    func parses(text: String, seconds: Double) throws {
        let date = try #require(Timestamp.date(parsing: text.utf8))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-5)
    }

    @Test(arguments: [
        "", "x", "2026", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-05T25:00:00Z",
        "2026-02-05T24:00:01Z", "2026-02-05T16:60:00Z", "2026-02-05T16:00:61Z", "2026-02-05T16:00:00.Z",
        "2026-02-05T16:00:00+1", "2026-02-05T16:00:00Zx", "02-OCT-10 16:01:13", "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00", "-2026-02-05T16:00:00Z", "2026-02-05T16:00:00.5é",
    ])
    func refuses(text: String) {
        #expect(Timestamp.date(parsing: text.utf8) == nil)
    }

    @Test func writesWhatItReads() throws {
        // From 1583 on: before, Foundation's calendar is the Julian one, and ISO 8601's is not.
        for day in stride(from: -141_300.0, to: 2_932_896, by: 97.3) {
            let date = Date(timeIntervalSince1970: (day * 86_400).rounded())
            let text = try #require(Timestamp.text(date))
            #expect(text == date.formatted(.iso8601))
            #expect(Timestamp.date(parsing: text.utf8) == date)
        }
        for day in stride(from: -719_162.0, to: 2_932_896, by: 97.3) {
            let date = Date(timeIntervalSince1970: (day * 86_400).rounded())
            #expect(Timestamp.text(date).flatMap { Timestamp.date(parsing: $0.utf8) } == date)
        }
        #expect(Timestamp.text(Date(timeIntervalSince1970: 0.25), milliseconds: true) == "1970-01-01T00:00:00.250Z")
        #expect(Timestamp.text(Date(timeIntervalSince1970: 1e15)) == nil)
        #expect(Timestamp.text(Date(timeIntervalSince1970: .nan)) == nil)
        #expect(Timestamp.text(Date(timeIntervalSince1970: -.infinity)) == nil)
    }
}
