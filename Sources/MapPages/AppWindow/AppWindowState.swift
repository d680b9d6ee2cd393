/// What the window of the program shows and asks: one job, such as the reception of a region, after the other, and what goes on beside them.
///
/// A plain value. The number and the length of all that it keeps are limited.
struct AppWindowState: Encodable, Sendable {
    /// What the script of the pages gets.
    private enum CodingKeys: String, CodingKey {
        case job, name, revision, title, region, isRunning, isUnexplained, lines, status, fraction, receivers, question,
            questionNumber
    }

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

    /// The maximum number of lines that are kept.
    static let maximumLineCount = 200
    /// The maximum number of bytes of the lines that are kept.
    static let maximumByteCount = 256 * 1024
    static let maximumAnswerLength = 4096
    /// The time without a page after which the program ends if there is no job; pages in the background ask once a minute.
    static let patience: Duration = .seconds(180)
    /// The time without a page and without news after which the program ends a job.
    static let patienceWithJob: Duration = .seconds(600)
    /// The number of the job, counted from 1; 0 before the first.
    private(set) var job = 0
    private var name: String?
    /// Grows with each change of regions and of their items that pages may show.
    private(set) var revision = 0
    private(set) var title = ""
    /// The id of the region that the job has brought; nil if it has brought none.
    private(set) var region: String?
    private(set) var isRunning = false
    /// Whether the job has failed for a reason that may lie in the network, and whose cause is not known.
    private(set) var isUnexplained = false
    /// Whether no job begins any more.
    private(set) var isClosed = false
    private(set) var lines: [Line] = []
    private(set) var status: AppWindowText?
    /// How much of a transfer is done, from 0 to 1; nil if nothing is transferred.
    private(set) var fraction: Double?
    /// Those that get something, as they were last; they stay at the end of the job.
    private(set) var receivers: [AppWindowReceiver] = []
    private(set) var question: AppWindowQuestion?
    /// The number of the question, counted from 1 through all jobs; a changed question has another one.
    private(set) var questionNumber = 0
    /// The number of the last line, the number of bytes of all that are kept, and when a page has asked and a job had news.
    private var kept:
        (lastLine: Int, byteCount: Int, lastRequest: SuspendingClock.Instant, lastNews: SuspendingClock.Instant)

    init(now: SuspendingClock.Instant) { kept = (0, 0, now, now) }

    /// Returns what a page shows that has the lines up to a number.
    ///
    /// - Parameters:
    ///   - name: The name of this machine; nil if none was chosen.
    ///   - changes: The number of changes of the list of regions, by whatever process.
    func shown(after number: Int, name: String?, changes: Int = 0) -> AppWindowState {
        var copy = self
        copy.name = name
        copy.revision += changes
        copy.lines.removeAll { $0.number <= number }
        return copy
    }

    /// Begins a job; returns false if another one is running, or if the window is closed.
    mutating func begin(_ title: String) -> Bool {
        guard !isRunning, !isClosed else { return false }
        job += 1
        self.title = title
        (isRunning, isUnexplained) = (true, false)
        region = nil
        (lines, kept.byteCount, receivers) = ([], 0, [])
        return true
    }

    /// Notes that the job has brought a region, and calls it differently from now on.
    mutating func bring(_ region: String, title: String) { (self.region, self.title) = (region, title) }

    mutating func end(isUnexplained: Bool = false) {
        (isRunning, self.isUnexplained) = (false, isUnexplained)
        (status, fraction) = (nil, nil)
        if question?.isBeside == false { question = nil }
    }

    mutating func close() { isClosed = true }

    /// Notes that a page has changed a region or an item.
    mutating func noteEdit() { revision += 1 }

    /// Adds a line, and drops the oldest lines if there are too many.
    mutating func add(
        _ kind: Kind,
        _ text: AppWindowText,
        answer: String? = nil,
        drawings: [AppWindowDrawing] = [],
        at now: SuspendingClock.Instant
    ) {
        kept.lastNews = now
        kept.lastLine += 1
        let line = Line(number: kept.lastLine, kind: kind, text: text.limited, answer: answer, drawings: drawings)
        lines.append(line)
        kept.byteCount += line.byteCount
        while lines.count > Self.maximumLineCount || kept.byteCount > Self.maximumByteCount, lines.count > 1 {
            kept.byteCount -= lines.removeFirst().byteCount
        }
    }

    /// Shows progress; nil for none.
    mutating func show(_ status: AppWindowText?, fraction: Double?, at now: SuspendingClock.Instant) {
        guard isRunning else { return }
        kept.lastNews = now
        self.status = status?.limited
        self.fraction = fraction.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil }
    }

    /// Shows how far those are that get something.
    mutating func show(_ receivers: [AppWindowReceiver], at now: SuspendingClock.Instant) {
        guard isRunning else { return }
        kept.lastNews = now
        self.receivers = receivers.suffix(AppWindowReceiver.maximumCount).map(\.limited)
    }

    mutating func ask(_ question: AppWindowQuestion, at now: SuspendingClock.Instant) {
        kept.lastNews = now
        questionNumber += 1
        self.question = question.limited
    }

    mutating func withdraw() { question = nil }

    /// Answers a question, and returns it; nil if it is not asked any more.
    ///
    /// One of the job becomes a line.
    mutating func answer(_ answer: String, to number: Int, at now: SuspendingClock.Instant) -> AppWindowQuestion? {
        guard let asked = question, number == questionNumber, answer.utf8.count <= Self.maximumAnswerLength else {
            return nil
        }
        question = nil
        if !asked.isBeside { add(.answer, asked.brief, answer: asked.words(for: answer), at: now) }
        return asked
    }

    mutating func noteRequest(at now: SuspendingClock.Instant) { kept.lastRequest = now }

    /// Whether no page is open any more.
    ///
    /// A job gets more time, because browsers slow down the timers of pages in the background.
    func isAbandoned(at now: SuspendingClock.Instant) -> Bool {
        guard isRunning else { return now - kept.lastRequest >= Self.patience }
        return now - max(kept.lastRequest, kept.lastNews) >= Self.patienceWithJob
    }
}
