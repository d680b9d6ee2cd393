import PeerTestSupport
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import RegionSharing

/// A question that stays open at the bottom of a terminal, beside progress and other questions.
@Suite(.timeLimit(.minutes(10))) struct StandingQuestionTests {
    private static func wait(until condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .patience
        while !condition() {
            guard ContinuousClock.now < end else { throw CancellationError() }
            await Task.yield()
        }
    }

    /// Runs `body` while a question stays open.
    private static func with(
        _ question: @escaping @Sendable () -> DisplayText = { "1  Anna\nPhone: " },
        _ body: (TerminalModel, Console, Pipe) async throws -> Void
    ) async throws {
        let (terminal, input) = (TerminalModel(columns: 80), try Pipe())
        let console = terminal.console(input: input.reader)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await console.askStanding(question) }
            defer { group.cancelAll() }
            try await body(terminal, console, input)
        }
    }

    @Test func progressStandsAboveIt() async throws {
        try await Self.with { terminal, console, _ in
            try await Self.wait { terminal.text.hasSuffix("Phone:") }
            console.show("Ben 10 %")
            #expect(terminal.text == "Ben 10 %\n1  Anna\nPhone:")
            console.show("Ben 20 %")
            #expect(terminal.text == "Ben 20 %\n1  Anna\nPhone:")
            console.note("Eva has it")
            #expect(terminal.text == "Eva has it\nBen 20 %\n1  Anna\nPhone:")
            console.show(nil)
            #expect(terminal.text == "Eva has it\n1  Anna\nPhone:")
            #expect(terminal.bellCount == 0 && terminal.unknownSequences.isEmpty)
        }
    }

    /// What somebody has begun to type stays where it is while progress goes on.
    @Test func whatIsTypedStays() async throws {
        try await Self.with { terminal, console, _ in
            console.show("Ben 10 %")
            try await Self.wait { terminal.text.hasSuffix("Phone:") }
            terminal.write("Ann")
            let cursor = terminal.cursor
            console.show("Ben 20 %")
            #expect(terminal.text == "Ben 20 %\n1  Anna\nPhone: Ann")
            #expect(terminal.cursor == cursor)
        }
    }

    @Test func anotherListTakesItsPlace() async throws {
        try await Self.with { terminal, console, _ in
            try await Self.wait { terminal.text.hasSuffix("Phone:") }
            console.setStanding("1  Anna\n2  Ben\nPhone: ")
            #expect(terminal.text == "1  Anna\n2  Ben\nPhone:")
            console.setStanding("")
            #expect(terminal.text.isEmpty)
            console.show("Ben 20 %")
            #expect(terminal.text == "Ben 20 %")
        }
    }

    /// It is never a question of another sort that a late list replaces.
    @Test func anotherQuestionComesFirstAndItComesBack() async throws {
        try await Self.with { terminal, console, input in
            try await Self.wait { terminal.text.hasSuffix("Phone:") }
            async let answer = console.ask("Let Ben in? [y/N] ")
            try await Self.wait { terminal.text.hasSuffix("[y/N]") }
            #expect(terminal.text.contains("This question comes before the list of phones:"))
            #expect(!terminal.text.contains("Phone:\n") && !terminal.text.contains("1  Anna"))
            console.setStanding("2  Ben\nPhone: ")
            #expect(terminal.text.hasSuffix("Let Ben in? [y/N]"))
            terminal.write("y\n")
            input.write("y\n")
            #expect(try await answer == "y")
            try await Self.wait { terminal.text.hasSuffix("1  Anna\nPhone:") }
        }
    }

    /// Ctrl-C stops the command, and is no answer to the list.
    @Test func itCannotBeRefused() async throws {
        try await Self.with { terminal, console, _ in
            try await Self.wait { terminal.text.hasSuffix("Phone:") }
            #expect(!console.refuse() && !console.isAsking)
        }
    }

    /// An answer leaves no copy of the list on the screen.
    @Test func anAnswerTakesItAway() async throws {
        let (terminal, input) = (TerminalModel(columns: 80), try Pipe())
        let console = terminal.console(input: input.reader)
        async let line = console.askStanding { "1  Anna\nPhone: " }
        try await Self.wait { terminal.text.hasSuffix("Phone:") }
        terminal.write("1\n")
        input.write("1\n")
        #expect(try await line == "1")
        console.note("Anna has it")
        #expect(terminal.text == "Anna has it")
    }

    // MARK: The order of questions

    /// A list gives way to a question about a file, which gives way to that of a receiver; Enter for a code is the last of all.
    @Test func questionsHaveRanks() async throws {
        let (turns, shown) = (QuestionTurns(), Locked<[String]>([]))
        @Sendable func show(_ name: String, until end: AsyncStream<Void>? = nil) async throws -> String {
            shown.withLock { $0.append(name) }
            if let end { for await _ in end {} } else { try await Task.sleep(for: .seconds(86_400)) }
            try Task.checkCancellation()
            return name
        }
        func arrival(of name: String) async throws { try await Self.wait { shown.value.last == name } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                _ = try await turns.askGivingWay(within: .seconds(86_400), as: .idle) { try await show("code") }
            }
            try await arrival(of: "code")
            group.addTask {
                _ = try await turns.askGivingWay(within: .seconds(86_400), as: .standing) { try await show("list") }
            }
            try await arrival(of: "list")
            group.addTask { _ = try await turns.askGivingWay(within: .seconds(86_400)) { try await show("file") } }
            try await arrival(of: "file")
            #expect(!turns.isAsking)
            let answer = AsyncStream.makeStream(of: Void.self)
            async let first = turns.ask { try await show("receiver", until: answer.stream) }
            try await arrival(of: "receiver")
            #expect(turns.isAsking)
            answer.continuation.finish()
            #expect(try await first == "receiver")
            try await arrival(of: "file")
        }
        #expect(shown.value == ["code", "list", "file", "receiver", "file"])
    }
}
