import Testing

@testable import MapPages

/// What the window shows, as values.
@Suite struct AppWindowStateTests {
    private static let start = SuspendingClock.now

    private static func began(_ title: String = "Receiving a map") -> AppWindowState {
        var state = AppWindowState(now: start)
        let hasBegun = state.begin(title)
        #expect(hasBegun)
        return state
    }

    private static let question = AppWindowQuestion(AppWindowText("Take it?"), form: .yesOrNo)

    /// A second try must not leave two sets of digits on the screen.
    @Test func anAnsweredQuestionShrinks() {
        var state = AppWindowState(now: Self.start)
        _ = state.begin("Coma Pedrosa")
        let question = AppWindowQuestion(
            AppWindowText("5 8 2   6 7 4\nDoes “Ben” see the same digits?\nSend it to “Ben”?"),
            form: .yesOrNo,
            introduction: AppWindowText("“Ben” wants “Coma Pedrosa”\nAnswer within 60 seconds.")
        )
        state.ask(question, at: Self.start)
        #expect(state.answer("n", to: state.questionNumber, at: Self.start) != nil)
        let words = state.lines.flatMap(\.text.blocks).compactMap(\.runs).flatMap { $0.map(\.text) }
        #expect(words == ["“Ben” wants “Coma Pedrosa”", "Send it to “Ben”?"])
    }

    @Test func oneJobAtATime() {
        var state = Self.began("first")
        #expect(!state.begin("second") && state.title == "first" && state.job == 1)
        state.add(.result, AppWindowText("done"), at: Self.start)
        state.show(AppWindowText("busy"), fraction: 0.5, at: Self.start)
        state.ask(Self.question, at: Self.start)
        state.end()
        #expect(!state.isRunning && state.status == nil && state.fraction == nil && state.question == nil)
        // What has happened stays until the next job begins.
        #expect(state.lines.map(\.text) == [AppWindowText("done")])
        #expect(state.begin("second") && state.job == 2 && state.lines.isEmpty)
        state.close()
        state.end()
        let isOpen = state.begin("third")
        #expect(!isOpen)
    }

    @Test func anAnswerIsForTheQuestionThatWasSeen() {
        var state = Self.began()
        #expect(state.answer("y", to: 0, at: Self.start) == nil)
        state.ask(Self.question, at: Self.start)
        let seen = state.questionNumber
        // Meanwhile, it is another question.
        state.withdraw()
        #expect(state.answer("y", to: seen, at: Self.start) == nil)
        state.ask(Self.question, at: Self.start)
        #expect(state.answer("y", to: seen, at: Self.start) == nil)
        #expect(state.answer("n", to: state.questionNumber, at: Self.start) != nil)
        // Of two windows, the first one answers.
        #expect(state.answer("y", to: state.questionNumber, at: Self.start) == nil)
        #expect(state.lines.map(\.answer) == ["No"] && state.lines[0].text == AppWindowText("Take it?"))
        let long = String(repeating: "x", count: AppWindowState.maximumAnswerLength + 1)
        state.ask(Self.question, at: Self.start)
        #expect(state.answer(long, to: state.questionNumber, at: Self.start) == nil)
    }

    @Test(
        arguments: [
            (.line, "", "Ben"), (.line, "Anna", "Anna"), (.yesOrNo, "y", "Yes"), (.choice, "2", "Second"),
            (.parts, "y", "Yes"), (.parts, "map hikes", "map hikes"), (.parts, "n", "No"),
        ] as [(AppWindowQuestion.Form, String, String)]
    )
    func anAnswerReadsAsItWasGiven(form: AppWindowQuestion.Form, answer: String, words: String) {
        let second = AppWindowQuestion.Choice(answer: "2", name: "Second")
        let question = AppWindowQuestion(AppWindowText("?"), form: form, choices: [second], usual: "Ben")
        #expect(question.words(for: answer) == words)
    }

    /// A phone may ask without a job, and whatever becomes of a job.
    @Test func aQuestionBesideTheJobOutlivesIt() {
        var state = Self.began()
        var question = Self.question
        question.isBeside = true
        state.ask(question, at: Self.start)
        state.end()
        #expect(state.question == question)
        #expect(state.answer("y", to: state.questionNumber, at: Self.start) == question)
        #expect(state.question == nil && state.lines.isEmpty)
    }

    @Test func aLineMayBeASecretOrAButton() {
        let button = AppWindowQuestion.Choice(answer: "\u{1}", name: "Cancel")
        var question = AppWindowQuestion(AppWindowText("PIN?"), choices: [button], usual: "Ben")
        #expect(question.words(for: "\u{1}") == "Cancel" && question.words(for: "") == "Ben")
        question.isSecret = true
        #expect(question.words(for: "1234") == "•••" && question.words(for: "\u{1}") == "Cancel")
    }

    @Test func whatIsKeptHasLimits() {
        var state = Self.began()
        for number in 1...1_000 { state.add(.note, AppWindowText("\(number)"), at: Self.start) }
        #expect(state.lines.count == AppWindowState.maximumLineCount && state.lines.last?.number == 1_000)
        let long = AppWindowText(
            [AppWindowText.maximumByteCount, 1].map { count in
                .paragraph([AppWindowText.Run(String(repeating: "x", count: count))])
            }
        )
        for _ in 1...100 { state.add(.note, long, at: Self.start) }
        #expect(state.lines.last?.text.byteCount == AppWindowText.maximumByteCount + "…".utf8.count)
        let sum = state.lines.reduce(0) { $0 + $1.text.byteCount }
        #expect(sum <= AppWindowState.maximumByteCount && state.lines.count < 20)
        // Answers count, too.
        let answer = String(repeating: "y", count: AppWindowState.maximumAnswerLength)
        for _ in 1...200 {
            state.ask(AppWindowQuestion(AppWindowText("?")), at: Self.start)
            #expect(state.answer(answer, to: state.questionNumber, at: Self.start) != nil)
        }
        #expect(state.lines.reduce(0) { $0 + ($1.answer?.utf8.count ?? 0) } <= AppWindowState.maximumByteCount)
        state.ask(AppWindowQuestion(long, introduction: long), at: Self.start)
        #expect(state.question?.introduction?.byteCount ?? .max <= AppWindowText.maximumByteCount + 3)
        state.show(long, fraction: .nan, at: Self.start)
        #expect(state.status?.blocks.count == 2 && state.fraction == nil)
        state.show(nil, fraction: 7, at: Self.start)
        #expect(state.fraction == 1)
    }

    @Test func itIsAbandonedSomeTimeAfterTheLastRequest() {
        var state = AppWindowState(now: Self.start)
        let late = Self.start + AppWindowState.patience
        #expect(!state.isAbandoned(at: late - .seconds(1)) && state.isAbandoned(at: late))
        state.noteRequest(at: late)
        #expect(!state.isAbandoned(at: late + .seconds(1)))
        let hasBegun = state.begin("Sending")
        #expect(hasBegun)
        let later = late + AppWindowState.patienceWithJob
        #expect(!state.isAbandoned(at: later - .seconds(1)) && state.isAbandoned(at: later))
        // A transfer that goes on is news.
        state.show(AppWindowText("half"), fraction: 0.5, at: later)
        #expect(!state.isAbandoned(at: later + .seconds(1)))
    }
}
