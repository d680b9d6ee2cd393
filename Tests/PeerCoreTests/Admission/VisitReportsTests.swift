import Testing

@testable import PeerCore

@Suite struct VisitReportsTests {
    private let start = ContinuousClock.now

    @Test(arguments: [(VisitReports.Visit.unasked, 10), (.asked, 30), (.impostor, 10)])
    func onlySoManyAreReportedInAMinute(visit: VisitReports.Visit, count: Int) {
        var reports = VisitReports()
        for _ in 0..<count { #expect(reports.mayReport(visit, at: start) == true) }
        #expect(reports.mayReport(visit, at: start + VisitReports.window - .milliseconds(1)) == false)
        #expect(reports.mayReport(visit, at: start + VisitReports.window) == true)
    }

    @Test func noSortHidesAnother() {
        var reports = VisitReports()
        while reports.mayReport(.unasked, at: start) {}
        #expect(reports.mayReport(.asked, at: start) == true)
        #expect(reports.mayReport(.impostor, at: start) == true)
    }
}
