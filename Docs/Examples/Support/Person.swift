import Foundation

/// The person at the terminal: types lines, and answers questions.
package actor Person {
    /// What the person types, but for answers to questions; ends with the input (Ctrl-D).
    package nonisolated let lines: AsyncStream<String>

    private nonisolated let takeLine: AsyncStream<String>.Continuation
    private var questions: [(subject: String, answer: CheckedContinuation<Bool, Never>)] = []
    private var hasLeft = false

    /// Creates the person; nothing is read before ``listen()``.
    package init() {
        (lines, takeLine) = AsyncStream.makeStream()
    }

    /// Asks a question, and waits for an answer that begins with “y” or anything else; no more input means no.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - subject: What it is about: an older question about the same is answered with no, because its time is over.
    /// - Returns: Whether the person says yes.
    package func says(_ question: String, about subject: String) async -> Bool {
        for old in questions where old.subject == subject { old.answer.resume(returning: false) }
        questions.removeAll { $0.subject == subject }
        show("\(question) [y/n]")
        guard !hasLeft else { return false }
        return await withCheckedContinuation { questions.append((subject, $0)) }
    }

    /// Reads what is typed until the input ends.
    package func listen() async {
        let (typed, continuation) = AsyncStream.makeStream(of: String.self)
        // Reading blocks, so it has a thread of its own. The thread ends with the program.
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        for await line in typed {
            if questions.isEmpty {
                takeLine.yield(line)
            } else {
                questions.removeFirst().answer.resume(returning: line.lowercased().hasPrefix("y"))
            }
        }
        hasLeft = true
        for question in questions { question.answer.resume(returning: false) }
        questions = []
        takeLine.finish()
    }
}

/// Prints a line at once.
///
/// Names and messages come from other machines: characters that could control the terminal are replaced.
package func show(_ text: String) {
    let safe = text.unicodeScalars.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
        default: String(scalar)
        }
    }
    FileHandle.standardOutput.write(Data((safe.joined() + "\n").utf8))
}
