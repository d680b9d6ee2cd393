/// How often files of each client were refused, so that a person is not asked without end.
package struct UploadRefusals: Sendable {
    private struct Counts: Sendable {
        var byPerson = 0
        var faults = 0
        /// When the last fault was noted, if the time is known.
        var lastFault: ContinuousClock.Instant?
        /// Which note was the last one: the lowest is that of the client that was not noted for the longest time.
        var note: UInt64 = 0

        func hasLapsed(at now: ContinuousClock.Instant?) -> Bool {
            guard byPerson == 0, let now, let lastFault else { return false }
            return now - lastFault >= UploadRefusals.memoryOfFaults
        }
    }

    /// The number of times that a person says no, after which nothing more is taken from a client.
    static let maximumRefusals = 2
    /// The number of files that cannot be used, after which nothing more is taken from a client.
    static let maximumFaults = 10
    /// The maximum number of clients whose refused files are counted.
    ///
    /// If there are more, the oldest one that a person has not refused gives way; if a person has refused all, nobody new is heard.
    static let maximumClients = 1000
    /// How long faults count after the last one, where the time is known.
    static let memoryOfFaults: Duration = .seconds(600)

    private var counts: [String: Counts] = [:]
    private var noteCount: UInt64 = 0

    /// Creates it without any.
    package init() {}

    /// Returns whether a client may send a file: not after several were refused.
    ///
    /// - Parameter now: The time; nil if no fault lapses.
    package func takesFiles(of client: String, at now: ContinuousClock.Instant? = nil) -> Bool {
        guard let known = counts[client] else {
            return counts.count < Self.maximumClients || counts.values.contains { $0.byPerson == 0 }
        }
        return known.hasLapsed(at: now)
            || known.byPerson < Self.maximumRefusals && known.faults < Self.maximumFaults
    }

    /// Notes that a person has refused something of a client.
    package mutating func refused(_ client: String, at now: ContinuousClock.Instant? = nil) {
        note(client, at: now) { $0.byPerson += 1 }
    }

    /// Notes that a file of a client cannot be used.
    package mutating func unusable(_ client: String, at now: ContinuousClock.Instant? = nil) {
        note(client, at: now) {
            $0.faults += 1
            $0.lastFault = now
        }
    }

    private mutating func note(
        _ client: String,
        at now: ContinuousClock.Instant?,
        _ change: (inout Counts) -> Void
    ) {
        if let known = counts[client], known.hasLapsed(at: now) { counts[client] = nil }
        if counts[client] == nil, counts.count >= Self.maximumClients {
            let oldest = counts.filter { $0.value.byPerson == 0 }.min { $0.value.note < $1.value.note }
            if let oldest { counts[oldest.key] = nil }
        }
        noteCount &+= 1
        var known = counts[client] ?? Counts()
        known.note = noteCount
        change(&known)
        counts[client] = known
    }

    /// The number of files of a client that could not be used.
    func faults(of client: String) -> Int { counts[client]?.faults ?? 0 }
}
