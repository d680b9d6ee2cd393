import Foundation
import Testing

@testable import MapFiles

/// The date that a map states.
@Suite struct MapDateTests {
    @Test(
        arguments: [
            ("2026-01-31", 1_769_817_600), ("2026-01-31T20:21:22Z", 1_769_890_882), ("1769890882", 1_769_890_882),
            ("1769890882000", 1_769_890_882), (" 2026-01-31 ", 1_769_817_600), ("2026-01-31 20:21:22", 1_769_890_882),
            ("1999-12-31", nil), ("2999-01-01", nil), ("yesterday", nil), ("", nil), ("nan", nil), ("inf", nil),
            ("-1", nil),
            ("1e400", nil), ("20260131", nil), ("2026-02-30", nil),
        ] as [(String, Double?)]
    )
    func readsTheDateOfAMap(text: String, seconds: Double?) {
        #expect(MapDate.date(of: ["mtime": text])?.timeIntervalSince1970 == seconds)
        let both = ["planetiler:osm:osmosisreplicationtime": "2026-02-01", "mtime": text]
        #expect(MapDate.date(of: both)?.timeIntervalSince1970 == 1_769_904_000)
    }
}
