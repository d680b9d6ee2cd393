import FoundationEssentials

/// What the window shows of the work that goes on beside the jobs: it keeps the regions of this machine up to date.
///
/// A plain value. The number and the length of all that it keeps are limited.
struct AppWindowKeeping: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case phase, takesNew, since, status
        case news = "lines"
    }

    /// Whether it goes on, or what becomes of it.
    enum Phase: String, Encodable, Sendable {
        case off
        case on
        /// A person has switched it off, and it is not over yet.
        case ending
    }

    private(set) var phase = Phase.off
    /// Whether it also takes regions that this machine does not have.
    private(set) var takesNew = false
    /// When it was switched on; nil if it never was.
    private(set) var since: Date?
    /// What it does now; nil if it waits.
    private(set) var status: AppWindowText?
    /// What it has done, or left out.
    var news = AppWindowNews()

    /// Begins; returns false if it goes on already, or is not over yet.
    mutating func begin(takesNew: Bool, at now: Date) -> Bool {
        guard phase == .off else { return false }
        (phase, self.takesNew, since, news) = (.on, takesNew, now, AppWindowNews())
        return true
    }

    mutating func stop() { if phase == .on { phase = .ending } }

    mutating func end() { (phase, status) = (.off, nil) }

    mutating func show(_ status: AppWindowText?) { if phase != .off { self.status = status?.limited } }
}
