internal import Synchronization

/// The window of the program: a page in the browser, in which a person starts jobs, sees what they tell, and answers what they ask.
///
/// The pages read and answer; the program performs the jobs, one after the other.
package final class AppWindow: Sendable {
    /// What a person wants.
    package enum Wish: Hashable, Sendable {
        /// To receive a region.
        case receive(ReceiveOptions)
        /// To send the region with this id.
        case send(String, SendOptions)
    }

    /// How to receive.
    package struct ReceiveOptions: Hashable, Sendable {
        /// Whether the person has a share link.
        package var hasLink = false
        /// Whether to join the sender's own Wi-Fi network.
        package var joins = false

        /// Creates the usual options.
        package init() {}
    }

    /// How to send.
    package struct SendOptions: Hashable, Sendable {
        /// Whether to make a Wi-Fi network.
        package var makesNetwork = false
        /// Whether phones get a page.
        package var hasPage = false

        /// Creates the usual options.
        package init() {}
    }

    /// A job that has begun.
    package struct Job: Sendable {
        /// What the person wants.
        package var wish: Wish
        /// Delivers each request to stop the job.
        package var stops: AsyncStream<Void>
    }

    private struct State {
        var value: AppWindowState
        var answers: AsyncStream<String>.Continuation?
        var stops: AsyncStream<Void>.Continuation?
    }

    /// The jobs, in the order in which they begin, until the window is closed.
    package let jobs: AsyncStream<Job>
    private let continuation: AsyncStream<Job>.Continuation
    private let state: Mutex<State>

    /// Creates a window without a job.
    package init() {
        (jobs, continuation) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(1))
        state = Mutex(State(value: AppWindowState(now: .now)))
    }

    /// What the pages show.
    var current: AppWindowState { state.withLock { $0.value } }

    // MARK: For the pages

    /// Begins a job; returns false if another one goes on.
    func begin(_ wish: Wish, title: String) -> Bool {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        return state.withLock { state in
            guard state.value.begin(title) else { return false }
            state.stops = stop
            continuation.yield(Job(wish: wish, stops: stops))
            return true
        }
    }

    /// Answers a question; returns false if it is not asked any more.
    func answer(_ answer: String, to number: Int) -> Bool {
        state.withLock { state in
            guard case .pass(let answer) = state.value.answer(answer, to: number, at: .now) else { return false }
            state.answers?.yield(answer)
            state.answers = nil
            return true
        }
    }

    /// Notes that a page is open.
    func noteRequest() {
        state.withLock { $0.value.noteRequest(at: .now) }
    }

    // MARK: For both

    /// Asks the job to end; returns false if there is none.
    @discardableResult
    package func stop() -> Bool {
        state.withLock { state in
            guard state.value.isRunning else { return false }
            state.stops?.yield()
            return true
        }
    }

    /// Lets no further job begin, and asks the last one to end.
    package func close() {
        state.withLock { $0.value.close() }
        stop()
        continuation.finish()
    }

    // MARK: For the program

    /// Whether a job goes on.
    package var isRunning: Bool { current.isRunning }

    /// Whether no further job begins.
    package var isClosed: Bool { current.isClosed }

    /// Whether no page is open any more.
    package var isAbandoned: Bool { current.isAbandoned(at: .now) }

    /// Notes that the job has ended.
    ///
    /// - Parameter problem: The reason, if it has failed.
    package func end(_ problem: AppWindowText? = nil) {
        state.withLock { state in
            if let problem { state.value.add(.problem, problem, at: .now) }
            state.value.end()
            state.stops = nil
        }
    }

    /// Shows that a region is here: the title says so, and leads to its map.
    ///
    /// - Parameters:
    ///   - id: The id of the region.
    ///   - title: What the job is called from now on.
    package func tell(region id: String, title: String) {
        state.withLock { $0.value.bring(id, title: title) }
    }

    /// Adds a result.
    package func tell(result text: AppWindowText) { add(.result, text) }

    /// Adds a warning.
    package func tell(warning text: AppWindowText) { add(.warning, text) }

    /// Adds news, with drawings.
    package func tell(_ text: AppWindowText, drawings: [AppWindowDrawing] = []) { add(.note, text, drawings) }

    private func add(_ kind: AppWindowState.Kind, _ text: AppWindowText, _ drawings: [AppWindowDrawing] = []) {
        state.withLock { $0.value.add(kind, text, drawings: drawings, at: .now) }
    }

    /// Shows progress until the next call; nil for none.
    ///
    /// - Parameters:
    ///   - status: The progress in words.
    ///   - fraction: How much of a transfer is done, from 0 to 1; nil if nothing is transferred.
    package func show(_ status: AppWindowText?, fraction: Double? = nil) {
        state.withLock { $0.value.show(status, fraction: fraction, at: .now) }
    }

    /// Asks a question and waits for the answer.
    ///
    /// The caller asks one question at a time.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; the question is then withdrawn.
    package func ask(_ question: AppWindowQuestion) async throws -> String {
        let (answers, answer) = AsyncStream.makeStream(of: String.self)
        state.withLock { state in
            state.value.ask(question, at: .now)
            state.answers = answer
        }
        for await answer in answers { return answer }
        state.withLock { state in
            state.value.withdraw()
            state.answers = nil
        }
        throw CancellationError()
    }

    /// Replaces the question that is asked; does nothing if it is answered already.
    package func replace(_ question: AppWindowQuestion) {
        state.withLock { state in
            if state.answers != nil { state.value.ask(question, at: .now) }
        }
    }
}
