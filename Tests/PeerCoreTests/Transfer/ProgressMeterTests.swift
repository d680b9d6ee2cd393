import Testing

@testable import PeerCore

@Suite struct ProgressMeterTests {
    let start = ContinuousClock.now

    @Test func nothingIsKnownBeforeTheFirstResource() {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: 100)
        #expect(meter.progress(at: start) == nil)
    }

    @Test func whatIsThereAlreadyCountsForTheWholeAndNotForTheRate() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: 1000)
        meter.expect(1, kind: .waypoints, size: 500)
        meter.found(0, bytes: 400)
        meter.transferred(0, bytes: 100, at: start)
        meter.transferred(0, bytes: 200, at: start + .seconds(1))
        let progress = try #require(meter.progress(at: start + .seconds(1)))
        #expect(progress.kind == .mbtiles)
        #expect(progress.resourceBytes == 700)
        #expect(progress.bytes == 700)
        #expect(progress.size == 1500)
        #expect(progress.bytesPerSecond == 200)
        #expect(progress.timeLeft == .seconds(4))
        #expect(meter.bytesTransferred == 300)
    }

    @Test func theRateIsThatOfTheLastSeconds() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: 10_000_000)
        for second in 0...10 { meter.transferred(0, bytes: 1000, at: start + .seconds(second)) }
        for second in 11...20 { meter.transferred(0, bytes: 50_000, at: start + .seconds(second)) }
        let progress = try #require(meter.progress(at: start + .seconds(20)))
        #expect(progress.bytesPerSecond == 50_000)
    }

    @Test func whatWaitsInThisMachineHasNotArrived() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: 1000)
        meter.found(0, bytes: 100)
        meter.transferred(0, bytes: 0, at: start)
        meter.waiting = 600
        meter.transferred(0, bytes: 800, at: start + .seconds(2))
        let progress = try #require(meter.progress(at: start + .seconds(2)))
        #expect(progress.bytes == 300)
        #expect(progress.resourceBytes == 300)
        #expect(progress.bytesPerSecond == 100)
        #expect(progress.timeLeft == .seconds(7))
        #expect(meter.bytesTransferred == 800)
        meter.waiting = 5000
        #expect(meter.progress(at: start + .seconds(2))?.bytes == 100, "other bytes wait, too")
        meter.waiting = 0
        #expect(meter.progress(at: start + .seconds(4))?.bytes == 900)
    }

    @Test func theLastReportIsOfTheWholeThoughSomeOfItWaitedWhenThatWasLastSeen() {
        var reports = ProgressMeter.Reports()
        reports.meter.expect(0, kind: .mbtiles, size: 1000)
        reports.meter.transferred(0, bytes: 800, at: start)
        reports.meter.waiting = 600
        reports.meter.transferred(0, bytes: 200, at: start)
        #expect(reports.allArrived(at: start) == nil, "not everything was sent")
        reports.isArriving = true
        #expect(reports.report(at: start)?.bytes == 400)
        #expect(reports.allArrived(at: start)?.bytes == 1000)
        #expect(reports.allArrived(at: start) == nil, "it is told once")
    }

    @Test func aStandstillLowersTheRate() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: 1_000_000)
        meter.transferred(0, bytes: 0, at: start)
        meter.transferred(0, bytes: 1000, at: start + .seconds(1))
        let before = try #require(meter.progress(at: start + .seconds(1))).bytesPerSecond
        let after = try #require(meter.progress(at: start + .seconds(100))).bytesPerSecond
        #expect(after == before / 100)
    }

    @Test func timeLeftIsUnknownWithoutARate() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: 1000)
        meter.transferred(0, bytes: 1, at: start)
        let progress = try #require(meter.progress(at: start))
        #expect(progress.bytesPerSecond == 0)
        #expect(progress.timeLeft == nil)
    }

    @Test func theLargestTransferAtTheSlowestRateHasATimeLeft() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: ChunkLayout.maximumSize)
        meter.transferred(0, bytes: 1, at: start)
        meter.transferred(0, bytes: 1, at: start + .seconds(1))
        #expect(try #require(meter.progress(at: start + .seconds(86_400 * 365))).timeLeft != nil)
    }

    /// A chunk may cross twice, when a lane broke or the disk has lost it.
    @Test func moreThanTheWholeIsNoMoreThanTheWhole() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .mbtiles, size: 1000)
        meter.transferred(0, bytes: 900, at: start)
        meter.transferred(0, bytes: 600, at: start + .seconds(1))
        let progress = try #require(meter.progress(at: start + .seconds(1)))
        #expect(progress.fraction == 1)
        #expect(progress.timeLeft == nil)
        #expect(meter.bytesSaved == 0)
        // What is lost again counts as missing again, and never as less than nothing.
        meter.lost(0, bytes: 1000)
        #expect(try #require(meter.progress(at: start + .seconds(1))).fraction == 0.5)
        meter.lost(0, bytes: 1000)
        #expect(try #require(meter.progress(at: start + .seconds(1))).fraction == 0)
    }

    @Test func anEmptyResourceIsWhole() throws {
        var meter = ProgressMeter()
        meter.expect(0, kind: .waypoints, size: 0)
        meter.finished(0)
        #expect(try #require(meter.progress(at: start)).fraction == 1)
    }
}
