import Testing

@testable import Routing

/// Times against a table of DIN 33466 that was reckoned by hand.
@Suite struct PaceTests {
    @Test(arguments: [
        // Metres, ascent, descent, minutes. On the flat: 4 km an hour.
        (4000.0, 0.0, 0.0, 60.0),
        (1000, 0, 0, 15),
        // Straight up: 300 m an hour; down: 500 m an hour.
        (0, 300, 0, 60),
        (0, 0, 500, 60),
        (0, 600, 1000, 240),
        // 12 km: 3 h. 900 m up: 3 h, 500 m down: 1 h, so 4 h. Together 4 h and half of 3 h.
        (12_000, 900, 500, 330),
        // 10 km: 2.5 h. 300 m up and down: 1 h and 0.6 h, so 1.6 h. Together 2.5 h and half of 1.6 h.
        (10_000, 300, 300, 198),
        // 8 km: 2 h. 1200 m up: 4 h. Together 4 h and half of 2 h.
        (8000, 1200, 0, 300),
        (0, 0, 0, 0),
    ])
    func followsTheStandard(distance: Double, ascent: Double, descent: Double, minutes: Double) {
        let seconds = Pace.din33466.duration(distance: distance, ascent: ascent, descent: descent)
        #expect(abs(seconds - 60 * minutes) < 1e-6)
    }

    @Test func fasterHikersNeedLess() {
        let pace = Pace.din33466
        let time = pace.duration(distance: 12_000, ascent: 900, descent: 500)
        #expect(abs(pace.scaled(by: 1.5).duration(distance: 12_000, ascent: 900, descent: 500) - time / 1.5) < 1e-6)
        #expect(pace.scaled(by: 0.5) == Pace(metresPerHour: 2000, ascentPerHour: 150, descentPerHour: 250))
    }
}
