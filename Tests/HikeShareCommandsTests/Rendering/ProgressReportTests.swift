import PeerCore
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import SharingReports

@Suite struct ProgressReportTests {
    private let report = ProgressReport(transfer: 1, progress: Sample.progress(1_250_000))

    @Test(
        arguments: [
            (80, "map  45 %  1.3 MB of 2.8 MB  1.3 MB/s  1 s left"),
            (51, "map  45 %  1.3 MB of 2.8 MB  1.3 MB/s  1 s left"),
            (40, "map  45 %  1.3 MB/s  1 s left"),
            (20, "map  45 %  1.3 MB/s"),
            (12, "map  45 %"),
            (5, "45 %"),
            (3, "45…"),
            (0, ""),
        ]
    )
    func fitsTheTerminal(width: Int, line: String) {
        #expect(report.line(width: width).string == line)
    }

    @Test func leavesOutWhatIsNotKnown() {
        let start = ProgressReport(transfer: 1, progress: Sample.progress(0, rate: 0))
        #expect(start.line(width: 80).string == "map  0 %  0 bytes of 2.8 MB")
    }

    @Test func writesJSON() throws {
        let line = try fields(report.rendered(as: .json))
        #expect(line["type"] == .text("progress"))
        #expect(line["kind"] == .text("mbtiles"))
        #expect(line["bytes"] == .number(1_250_000))
        #expect(line["size"] == .number(2_775_000))
        #expect(line["bytesPerSecond"] == .number(1_250_000))
        #expect(line["secondsLeft"] == .number(1))
    }

    @Test func oneThatWaitsHasItsPlaceInsteadOfARate() throws {
        let turn = TransferTurn(place: 3, count: 3, timeLeft: .seconds(123))
        var report = report
        report.progress = Sample.progress(125_000)
        report.turn = QueuedReceiver(name: "“Ben”", turn: turn)
        #expect(report.text.string == "You are third, about 2 minutes  map  4 %  125 kB of 2.8 MB")
        report.isForReceiver = false
        #expect(report.text.string == "third “Ben”, about 2 minutes  map  4 %  125 kB of 2.8 MB")
        let line = try fields(report.rendered(as: .json))
        #expect(line["secondsLeft"] == .number(123))
    }

    @Test func showsSeveralReceiversOnOneLine() throws {
        var transfers = RunningTransfers(isReceiver: false)
        #expect(transfers.line(width: 80) == nil)
        transfers.running = [2: Sample.progress(2_775_000, rate: 1_000_000), 1: Sample.progress(0, rate: 500_000)]
        #expect(transfers.line(width: 80)?.string == "2 receivers: 0 %, 100 %  1.5 MB/s")
        #expect(try #require(transfers.line(width: 10)).width <= 10)
    }

    @Test func writesPlainLinesNotTooOften() {
        let start = ContinuousClock.now
        var throttle = ProgressThrottle()
        #expect(throttle.isDue(at: start, fraction: 0) == true)
        #expect(throttle.isDue(at: start + .milliseconds(100), fraction: 0.9) == false)
        #expect(throttle.isDue(at: start + .milliseconds(600), fraction: 0.09) == false)
        #expect(throttle.isDue(at: start + .milliseconds(600), fraction: 0.11) == true)
        #expect(throttle.isDue(at: start + .seconds(3), fraction: 0.12) == false)
        #expect(throttle.isDue(at: start + .milliseconds(3600), fraction: 0.12) == true)
    }
}
