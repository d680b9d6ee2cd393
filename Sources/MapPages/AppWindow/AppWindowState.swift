/// What the window of the program shows and asks: one job, which is the reception or the sending of a region, after the other.
///
/// A plain value. The number and the length of all that it keeps are limited.
struct AppWindowState: Sendable {
    /// The kind of a line.
    enum Kind: String, Encodable, Sendable {
        /// The result of the job.
        case result
        /// News.
        case note
        /// A problem that does not end the job.
        case warning
        /// The reason why the job has ended.
        case problem
        /// A question, and what was answered.
        case answer
    }

    /// Something that stays in the window.
    struct Line: Encodable, Hashable, Sendable {
        /// The number, counted from 1 through all jobs.
        var number: Int
        var kind: Kind
        var text: AppWindowText
        /// The words of the answer; nil if the line is no answer.
        var answer: String?
        var drawings: [AppWindowDrawing]

        fileprivate var byteCount: Int {
            text.byteCount + (answer?.utf8.count ?? 0) + drawings.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// What becomes of an answer.
    enum OnAnswer: Equatable {
        case pass(String)
        case expired
    }

    /// The maximum number of lines that are kept.
    static let maximumLineCount = 200
    /// The maximum number of bytes of the lines that are kept.
    static let maximumByteCount = 256 * 1024
    /// The maximum number of bytes of an answer.
    static let maximumAnswerLength = 4096
    // Browsers let pages in the background do something once a minute.
    /// The time without a page after which the program ends if there is no job.
    static let patience: Duration = .seconds(180)
    /// The time without a page and without news after which the program ends a job.
    static let patienceWithJob: Duration = .seconds(600)

    /// The number of the job, counted from 1; 0 before the first.
    private(set) var job = 0
    /// What the job is.
    private(set) var title = ""
    /// The id of the region that the job has brought; nil if it has brought none.
    private(set) var region: String?
    /// Whether the job goes on.
    private(set) var isRunning = false
    /// Whether no job begins any more.
    private(set) var isClosed = false
    private(set) var lines: [Line] = []
    private(set) var status: AppWindowText?
    /// How much of a transfer is done, from 0 to 1; nil if nothing is transferred.
    private(set) var fraction: Double?
    private(set) var question: AppWindowQuestion?
    /// The number of the question, counted from 1 through all jobs.
    ///
    /// A changed question has another one.
    private(set) var questionNumber = 0
    private var lastLine = 0
    private var byteCount = 0
    private var lastRequest: SuspendingClock.Instant
    private var lastNews: SuspendingClock.Instant

    init(now: SuspendingClock.Instant) {
        lastRequest = now
        lastNews = now
    }

    /// Begins a job; returns false if another one goes on, or if the window is closed.
    mutating func begin(_ title: String) -> Bool {
        guard !isRunning, !isClosed else { return false }
        job += 1
        self.title = title
        isRunning = true
        region = nil
        (lines, byteCount) = ([], 0)
        return true
    }

    /// Notes that the job has brought a region, and calls it differently from now on.
    mutating func bring(_ region: String, title: String) {
        (self.region, self.title) = (region, title)
    }

    /// Notes that the job has ended.
    mutating func end() {
        isRunning = false
        (status, fraction, question) = (nil, nil, nil)
    }

    /// Lets no further job begin.
    mutating func close() {
        isClosed = true
    }

    /// Adds a line.
    ///
    /// The oldest lines are dropped if there are too many.
    mutating func add(
        _ kind: Kind,
        _ text: AppWindowText,
        answer: String? = nil,
        drawings: [AppWindowDrawing] = [],
        at now: SuspendingClock.Instant
    ) {
        lastNews = now
        lastLine += 1
        let line = Line(number: lastLine, kind: kind, text: text.limited, answer: answer, drawings: drawings)
        lines.append(line)
        byteCount += line.byteCount
        while lines.count > Self.maximumLineCount || byteCount > Self.maximumByteCount, lines.count > 1 {
            byteCount -= lines.removeFirst().byteCount
        }
    }

    /// Shows progress; nil for none.
    mutating func show(_ status: AppWindowText?, fraction: Double?, at now: SuspendingClock.Instant) {
        guard isRunning else { return }
        lastNews = now
        self.status = status?.limited
        self.fraction = fraction.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil }
    }

    /// Asks a question in the place of the last one.
    mutating func ask(_ question: AppWindowQuestion, at now: SuspendingClock.Instant) {
        lastNews = now
        questionNumber += 1
        self.question = question.limited
    }

    /// Takes back the question.
    mutating func withdraw() {
        question = nil
    }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - number: The number of the question that the person has seen.
    ///   - now: The time.
    /// - Returns: The answer for the job, or that there is no such question any more.
    mutating func answer(_ answer: String, to number: Int, at now: SuspendingClock.Instant) -> OnAnswer {
        guard let asked = question, number == questionNumber, answer.utf8.count <= Self.maximumAnswerLength else {
            return .expired
        }
        question = nil
        add(.answer, asked.brief, answer: asked.words(for: answer), at: now)
        return .pass(answer)
    }

    /// Notes a request of a page.
    mutating func noteRequest(at now: SuspendingClock.Instant) {
        lastRequest = now
    }

    /// Whether no page is open any more.
    ///
    /// A job gets more time, because browsers slow down the timers of pages in the background.
    func isAbandoned(at now: SuspendingClock.Instant) -> Bool {
        guard isRunning else { return now - lastRequest >= Self.patience }
        return now - max(lastRequest, lastNews) >= Self.patienceWithJob
    }
}
