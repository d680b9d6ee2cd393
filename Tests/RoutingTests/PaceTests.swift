import Routing
import Testing

@Suite struct PaceTests {
    @Test func walksFourKilometresAnHour() {
        #expect(Pace.din33466.duration(distance: 4000, ascent: 0, descent: 0) == 3600)
    }
}
