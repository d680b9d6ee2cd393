import Foundation
import PeerCore
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import MapPages
@testable import RegionSharing
@testable import SharingWindow
@testable import WebServer

/// What keeps the regions up to date beside the jobs of the window.
@Suite struct WindowKeepTests {
    @Test func itIsSwitchedOnAndOffBesideAJob() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            let refused = try here.post("keep", #"{"on":true}"#)
            #expect(refused.status == .conflict)
            #expect(String(decoding: refused.body, as: UTF8.self).contains("You do not trust any other machine yet."))
            try here.store.trustedPeers.pin(Sample.peerID(), name: "Anna")
            #expect(try here.post("receive").status == .ok)
            #expect(try here.post("keep", #"{"on":true,"new":true}"#).status == .ok)
            #expect(try here.post("keep", #"{"on":true}"#).status == .conflict)
            var keepings = here.window.keepings.makeAsyncIterator()
            let begun = try #require(await keepings.next())
            #expect(try #require(begun.job as? KeepingJob).takesNew)
            #expect(here.window.keeping.phase == .on && here.window.isRunning)
            #expect(try here.post("keep", #"{"on":false}"#).status == .ok)
            var stops = begun.stops.makeAsyncIterator()
            #expect(await stops.next() != nil)
            // A connection may still be open.
            #expect(here.window.keeping.phase == .ending)
            #expect(try here.post("keep", #"{"on":true}"#).status == .conflict)
            here.window.endKeeping()
            #expect(here.window.keeping.phase == .off && here.window.isRunning)
            #expect(try here.post("keep", #"{"on":true}"#).status == .ok)
            here.window.close()
            _ = await keepings.next()
            #expect(await keepings.next() == nil)
            #expect(here.window.keeping.phase == .ending)
        }
    }

    /// The window ends with it, and not before.
    @Test(arguments: [false, true]) func itEndsWithTheWindow(isSwitchedOff: Bool) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            try here.store.trustedPeers.pin(Sample.peerID(), name: "Anna")
            let desk = here.desk
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await desk.run(endsWithPages: false) }
                #expect(desk.window.keep(KeepingJob(at: desk, takesNew: false), takesNew: false))
                if isSwitchedOff {
                    desk.window.stopKeeping()
                    while desk.window.keeping.phase != .off { await Task.yield() }
                }
                desk.window.close()
                await group.waitForAll()
            }
            #expect(desk.window.keeping.phase == .off)
        }
    }

    @Test func thePageSeesWhatItHasDone() async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            #expect(here.window.keep(KeepingJob(at: here.desk, takesNew: false), takesNew: false))
            here.window.tellKeeping(AppWindowText("Received Fiji from Anna"), region: here.region.uuidString)
            here.window.showKeeping(AppWindowText("34 %"))
            let keeping = try #require(try here.state(after: 9)["keeping"] as? [String: Any])
            #expect(keeping["phase"] as? String == "on" && keeping["since"] is String && keeping["status"] != nil)
            let line = try #require((keeping["lines"] as? [[String: Any]])?.first)
            #expect(line["region"] as? String == here.region.uuidString && line["time"] is String)
            here.window.endKeeping()
            let after = try #require(try here.state()["keeping"] as? [String: Any])
            #expect(after["status"] == nil && (after["lines"] as? [Any])?.count == 1)
        }
    }

    /// Nobody is asked, so a problem that comes again each minute is one line.
    @Test func whatItKeepsHasLimits() {
        var keeping = AppWindowKeeping()
        #expect(keeping.begin(takesNew: false, at: Sample.date) && !keeping.begin(takesNew: true, at: Sample.date))
        for _ in 1...5 { keeping.news.add(AppWindowText("Lost."), isProblem: true, at: Sample.date) }
        #expect(keeping.news.lines.map(\.number) == [5])
        for number in 1...40 { keeping.news.add(AppWindowText("\(number)"), isProblem: false, at: Sample.date) }
        #expect(keeping.news.lines.count == AppWindowNews.maximumLineCount && keeping.news.lines.last?.number == 45)
        let long = String(repeating: "x", count: 8192)
        for number in 1...20 { keeping.news.add(AppWindowText("\(number)\(long)"), isProblem: false, at: Sample.date) }
        #expect(keeping.news.lines.count == 3)
    }

    @Test func itSaysWhatIsLeftOutWithoutATerminal() throws {
        let window = AppWindow()
        let desk = WindowDesk(window: window, store: "/nonexistent", surroundings: .ofTests)
        #expect(window.keep(KeepingJob(at: desk, takesNew: false), takesNew: false))
        let person = KeepingPerson(in: window)
        let left = KeepLeftOut(
            peer: Sample.remotePeer(),
            region: try Screens.offer().region,
            reason: .notHere,
            kinds: []
        )
        person.tell(.keeping(.leftOut(left)))
        person.tell(.problem(PeerError(.connectionLost, "The connection was lost.")))
        person.tell(.keeping(.waiting))
        let lines = window.keeping.news.lines
        #expect(lines.map(\.isProblem) == [false, true])
        #expect(lines.first?.text.words.contains("you do not have it") == true)
        #expect(lines.first?.text.words.contains("--") == false)
    }
}
