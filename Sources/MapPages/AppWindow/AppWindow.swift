internal import FoundationEssentials
internal import Synchronization

/// The window of the program: a page in the browser, in which a person starts jobs, sees what they tell, and answers what they ask.
///
/// The pages read and answer; the program performs the jobs, one after the other, and beside them what keeps the regions up to date.
package final class AppWindow: Sendable {
    /// A job that has begun.
    package struct Begun: Sendable {
        package var job: any AppWindowJob
        /// Delivers each request to stop the job.
        package var stops: AsyncStream<Void>
    }

    private struct State {
        var value: AppWindowState
        /// The job that is running; nil for none.
        var job: (any AppWindowJob)?
        var answers: AsyncStream<String>.Continuation?
        var stops: AsyncStream<Void>.Continuation?
        var keeping = AppWindowKeeping()
        var keepingStops: AsyncStream<Void>.Continuation?
    }

    /// What keeps the regions up to date, each time when it is switched on, until the window is closed.
    package let keepings: AsyncStream<Begun>
    private let keepingContinuation: AsyncStream<Begun>.Continuation
    /// The jobs, in the order in which they begin, until the window is closed.
    package let jobs: AsyncStream<Begun>
    private let continuation: AsyncStream<Begun>.Continuation
    private let state: Mutex<State>
    /// What is shown of phones that have LocalSend.
    package let phones = AppWindowPhones()

    package init() {
        (jobs, continuation) = AsyncStream.makeStream(of: Begun.self, bufferingPolicy: .bufferingOldest(1))
        (keepings, keepingContinuation) = AsyncStream.makeStream(of: Begun.self, bufferingPolicy: .bufferingOldest(1))
        state = Mutex(State(value: AppWindowState(now: .now)))
    }

    /// What the pages show.
    var current: AppWindowState { state.withLock { $0.value } }
    /// What the pages show of what goes on beside the jobs.
    var keeping: AppWindowKeeping { state.withLock { $0.keeping } }
    /// Whether a job is running.
    package var isRunning: Bool { current.isRunning }
    /// The job that is running; nil for none.
    package var job: (any AppWindowJob)? { state.withLock { $0.job } }
    /// Whether no further job begins.
    package var isClosed: Bool { current.isClosed }
    /// Whether no page is open any more.
    package var isAbandoned: Bool { current.isAbandoned(at: .now) && !phones.isActive(at: .now) }

    // MARK: For the pages

    /// Begins a job; returns false if another one is running, or if the window is closed.
    package func begin(_ job: any AppWindowJob) -> Bool {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        return state.withLock { state in
            guard state.value.begin(job.title) else { return false }
            (state.stops, state.job) = (stop, job)
            continuation.yield(Begun(job: job, stops: stops))
            return true
        }
    }

    /// Answers a question; returns false if it is not asked any more.
    package func answer(_ answer: String, to number: Int) -> Bool {
        state.withLock { state in
            guard let asked = state.value.answer(answer, to: number, at: .now) else { return false }
            state.answers?.yield(answer)
            state.answers = nil
            if asked.isBeside { phones.tell(asked.brief, answer: asked.words(for: answer)) }
            return true
        }
    }

    /// Notes that a page is open, or that a browser is loading a file.
    package func noteRequest() { state.withLock { $0.value.noteRequest(at: .now) } }

    /// Asks the job to end; returns false if there is none.
    @discardableResult
    package func stop() -> Bool {
        state.withLock { state in
            guard state.value.isRunning else { return false }
            state.stops?.yield()
            return true
        }
    }

    /// Begins to keep the regions up to date; returns false if it goes on already, or if the window is closed.
    package func keep(_ work: any AppWindowJob, takesNew: Bool) -> Bool {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        return state.withLock { state in
            guard !state.value.isClosed, state.keeping.begin(takesNew: takesNew, at: Date()) else { return false }
            state.keepingStops = stop
            keepingContinuation.yield(Begun(job: work, stops: stops))
            return true
        }
    }

    /// Asks to keep the regions up to date no longer.
    package func stopKeeping() {
        state.withLock { state in
            state.keeping.stop()
            state.keepingStops?.yield()
        }
    }

    /// Lets no further job begin, and asks the last one, and what goes on beside it, to end.
    package func close() {
        state.withLock { $0.value.close() }
        stop()
        stopKeeping()
        continuation.finish()
        keepingContinuation.finish()
    }

    /// Notes that a page has changed a region or an item, so that the others show it.
    package func noteEdit() { state.withLock { $0.value.noteEdit() } }

    // MARK: For the program

    /// Notes that the job has ended, with a problem if it has failed, whose cause may be in the network and not known.
    ///
    /// - Parameter isWished: Whether the person has ended it, and it had nothing left to finish.
    package func end(_ problem: AppWindowText? = nil, isUnexplained: Bool = false, isWished: Bool = false) {
        state.withLock { state in
            if let problem { state.value.add(isWished ? .note : .problem, problem, at: .now) }
            state.value.end(isUnexplained: isUnexplained)
            (state.stops, state.job) = (nil, nil)
        }
    }

    /// Notes that the regions are kept up to date no longer, with a problem if that is the reason.
    package func endKeeping(_ problem: AppWindowText? = nil) {
        state.withLock { state in
            if let problem { state.keeping.news.add(problem, isProblem: true, at: Date()) }
            state.keeping.end()
            state.keepingStops = nil
        }
    }

    /// Tells something of what keeps the regions up to date, perhaps of a region that was received.
    package func tellKeeping(
        _ text: AppWindowText,
        isProblem: Bool = false,
        region: String? = nil,
        drawings: [AppWindowDrawing] = []
    ) {
        state.withLock {
            $0.keeping.news.add(text, isProblem: isProblem, region: region, drawings: drawings, at: Date())
        }
    }

    /// Shows what it does until the next call; nil while it waits.
    package func showKeeping(_ status: AppWindowText?) { state.withLock { $0.keeping.show(status) } }

    /// Shows that a region is here: the title says so from now on, and leads to its map.
    package func tell(region id: String, title: String) { state.withLock { $0.value.bring(id, title: title) } }

    package func tell(result text: AppWindowText, drawings: [AppWindowDrawing] = []) { add(.result, text, drawings) }

    package func tell(warning text: AppWindowText) { add(.warning, text) }

    /// Adds news, with drawings.
    package func tell(_ text: AppWindowText, drawings: [AppWindowDrawing] = []) { add(.note, text, drawings) }

    private func add(_ kind: AppWindowState.Kind, _ text: AppWindowText, _ drawings: [AppWindowDrawing] = []) {
        state.withLock { $0.value.add(kind, text, drawings: drawings, at: .now) }
    }

    /// Shows progress until the next call, and the fraction of a transfer that is done, from 0 to 1; nil for none.
    package func show(_ status: AppWindowText?, fraction: Double? = nil) {
        state.withLock { $0.value.show(status, fraction: fraction, at: .now) }
    }

    /// Shows those that get something, in the place of those before.
    package func show(_ receivers: [AppWindowReceiver]) { state.withLock { $0.value.show(receivers, at: .now) } }

    /// Asks a question and waits for the answer; the caller asks one question at a time.
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

    /// Replaces a question, below the same notice; does nothing if it is not asked any more.
    package func replace(_ former: AppWindowQuestion, with question: AppWindowQuestion) {
        state.withLock { state in
            var (former, question) = (former.limited, question)
            former.notice = state.value.question?.notice
            guard state.value.question == former else { return }
            question.notice = former.notice
            state.value.ask(question, at: .now)
        }
    }
}
