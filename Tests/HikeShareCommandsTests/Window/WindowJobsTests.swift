import Foundation
import PeerCore
import PeerTestSupport
import SharingReports
import Testing

@testable import MapPages
@testable import RegionStore
@testable import SharingWindow

/// What a person begins in the window, and how it ends.
@Suite struct WindowJobsTests {
    /// Performs a job in a window; `body` answers, and ends it.
    private static func perform(
        _ job: @Sendable (WindowDesk) throws -> any AppWindowJob,
        _ body: @escaping @Sendable (AppWindow) async -> Void
    ) async throws -> String {
        try await TemporaryDirectory.with { directory in
            _ = try RegionStore(path: directory.path("store"), application: Software.name, access: .creating)
            let window = AppWindow()
            let desk = WindowDesk(window: window, store: directory.path("store"), surroundings: .ofTests)
            try #require(window.begin(try job(desk)))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await desk.run(endsWithPages: false) }
                await body(window)
                while window.isRunning { await Task.yield() }
                window.close()
                await group.waitForAll()
            }
            return window.current.lines.last?.text.words ?? ""
        }
    }

    /// Waits for a question that has a text in it.
    private static func question(_ text: String, in window: AppWindow) async {
        while window.current.question?.text.words.contains(text) != true { await Task.yield() }
    }

    @Test(arguments: [false, true]) func aStopWithdrawsTheFirstQuestion(closes: Bool) async throws {
        let receiving: @Sendable (WindowDesk) -> any AppWindowJob = { ReceivingJob(at: $0) }
        let last = try await Self.perform(receiving) { window in
            await Self.question("What should others call you?", in: window)
            if closes { window.close() } else { window.stop() }
        }
        #expect(last == "Interrupted; nothing was received.")
    }

    @Test func aPersonWithALinkIsAskedForIt() async throws {
        let receiving: @Sendable (WindowDesk) -> any AppWindowJob = { ReceivingJob(at: $0, hasLink: true) }
        let last = try await Self.perform(receiving) { window in
            await Self.question("What should others call you?", in: window)
            #expect(window.answer("Ben", to: window.current.questionNumber))
            await Self.question("Paste the share link:", in: window)
            #expect(window.current.lines.map(\.text.words).contains("You are Ben."))
            for number in 2...6 {
                while window.current.questionNumber < number || window.current.question == nil { await Task.yield() }
                #expect(window.answer("marmot", to: number))
            }
        }
        #expect(last.hasSuffix("Copy the whole share link that the sender shows, and paste it."), "\(last)")
    }

    @Test func aRegionThatIsGoneIsNotSent() async throws {
        let sending: @Sendable (WindowDesk) -> any AppWindowJob = {
            SendingJob(at: $0, title: "Sending", SendingChoice([UUID()]))
        }
        let last = try await Self.perform(sending) { _ in }
        #expect(!last.isEmpty && !last.contains("Interrupted"), "\(last)")
    }
}
