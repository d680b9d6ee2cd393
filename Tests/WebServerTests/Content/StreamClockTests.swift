import Testing

@testable import WebServer

@Suite struct StreamClockTests {
    private static let second: Int64 = 1_000_000_000

    @Test func bytesEarnTimeButNeverMoreThanThePauseThatIsAllowed() {
        var clock = StreamClock(.seconds(60), rate: 1000)
        clock.arrived(1 << 40)
        #expect(clock.left == 60 * Self.second)
        clock.waited(20 * Self.second)
        clock.arrived(5000)
        #expect(clock.left == 45 * Self.second)
        clock.arrived(1_000_000)
        #expect(clock.left == 60 * Self.second)
    }

    @Test func singleBytesDoNotPayForTheTimeBetweenThem() {
        var clock = StreamClock(.seconds(60), rate: 1000)
        var seconds = 0
        while clock.left > 0 {
            clock.waited(Self.second)
            clock.arrived(1)
            seconds += 1
        }
        #expect(seconds == 61)
    }

    @Test func noNumberIsTooLarge() {
        var clock = StreamClock(.seconds(Int64.max), rate: 0)
        clock.arrived(.max)
        clock.waited(.max)
        clock.waited(.max)
        clock.waited(-5)
        clock.arrived(0)
        #expect(clock.left <= clock.maximum)
    }
}
