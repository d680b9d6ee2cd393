/// What runs beside the hub: jobs, the application's handlers, and attempts to connect.
struct HubWork: Sendable {
    typealias Job = @Sendable () async -> Void

    let jobs: AsyncStream<Job>
    private let addJob: AsyncStream<Job>.Continuation
    /// The calls of the application's handlers.
    let handlers = HandlerCalls()
    /// The calls that save something; unlike those of handlers, they may still finish while the session ends.
    let keepers = HandlerCalls()
    /// Limits how many peers are dialed automatically at once.
    let pace = DialPace()
    /// Signals that the peers nearby should be examined again.
    let looks = ReadyQueue<Void>(maximumCount: 1)

    init() { (jobs, addJob) = AsyncStream.makeStream(of: Job.self) }

    /// Starts a job.
    ///
    /// - Returns: Whether it runs; false if the session has ended.
    func add(_ job: @escaping Job) -> Bool {
        if case .enqueued = addJob.yield(job) { true } else { false }
    }

    /// Starts no more jobs.
    func finish() { addJob.finish() }
}

/// How other machines find this one.
struct Presence {
    /// Where this machine listens.
    var port = 0
    /// The token of this session's share links.
    let token: ShareToken
    /// The calls that announce this machine, in order: the last one counts.
    private var announcements: [Announcement] = []

    /// A call that announces this machine.
    struct Announcement: Sendable {
        let number: Int
        /// Signals that another call has begun or ended.
        let changes = ReadyQueue<Void>(maximumCount: 1)
    }

    init(token: ShareToken) { self.token = token }

    /// Adds the call of an announcement, which takes the place of the others.
    mutating func add(_ number: Int) -> Announcement {
        let call = Announcement(number: number)
        announcements.append(call)
        tell()
        return call
    }

    /// Removes a call that has ended.
    mutating func remove(_ call: Announcement) {
        announcements.removeAll { $0.number == call.number }
        tell()
    }

    /// Whether a call is the last one.
    func isLast(_ call: Announcement) -> Bool { announcements.last?.number == call.number }

    /// Ends all announcements, so that their calls return.
    func endAnnouncements() {
        for call in announcements { call.changes.finish() }
    }

    private func tell() {
        for call in announcements { call.changes.add(()) }
    }
}

/// How far the session is with leaving.
struct Departure {
    var hasLeft = false
    /// The number of trusted peers that are being saved.
    var pinCount = 0
    /// Resumes when no connection is left and all trusted peers are saved.
    var whenAtRest: CheckedContinuation<Void, Never>?

    /// Ends the wait.
    mutating func rest() {
        whenAtRest?.resume()
        whenAtRest = nil
    }
}
