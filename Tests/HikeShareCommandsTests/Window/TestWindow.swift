import PeerCore
import RegionSharing
import SharingReports
import Testing

@testable import MapPages
@testable import SharingWindow

/// A page for phones that cannot be shown.
private struct NoPage: SenderCompanion {
    let turns = SendingTurns()

    func prepare(in network: OwnHotspot?) async throws { throw CancellationError() }

    func serve(during body: @escaping @Sendable () async throws -> Void) async throws { throw CancellationError() }
}

extension WindowSurroundings {
    /// A machine of which nothing is known.
    static let ofTests = WindowSurroundings(
        configuration: ConnectionConfiguration(),
        browser: { PeerBrowser.nearby(except: $0, within: $1) },
        companion: { _, _, _, _, _ in NoPage() }
    )
}

/// A window with a job, the person in front of it, and what a test answers there.
struct TestWindow {
    let window = AppWindow()
    let person: WindowPerson

    init(_ change: (inout WindowSurroundings) -> Void = { _ in }) throws {
        var surroundings = WindowSurroundings.ofTests
        change(&surroundings)
        person = WindowPerson(in: window, surroundings, sends: true)
        // It is never performed.
        let desk = WindowDesk(window: window, store: "/nonexistent", surroundings: surroundings)
        try #require(window.begin(ReceivingJob(at: desk)))
    }

    /// Waits for a question after the one with a number.
    func asked(after number: Int = 0) async -> AppWindowQuestion? {
        while window.current.question == nil || window.current.questionNumber <= number { await Task.yield() }
        return window.current.question
    }

    /// Answers the question that is asked; returns whether there was one.
    @discardableResult
    func answer(_ text: String) -> Bool { window.answer(text, to: window.current.questionNumber) }

    /// The words of all lines.
    var words: String { window.current.lines.map(\.text.words).joined(separator: "\n") }
}

extension AppWindowText {
    /// All words, also those in tables.
    var words: String {
        blocks.map { block in
            let cells = (block.rows ?? []).map { $0.map { $0.map(\.text).joined() }.joined(separator: " ") }
            return ([(block.runs ?? []).map(\.text).joined()] + cells).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

extension AppWindowQuestion {
    /// All words.
    var words: String {
        ([introduction?.words ?? "", text.words] + choices.flatMap { [$0.name, $0.facts] }).joined(separator: "\n")
    }
}
