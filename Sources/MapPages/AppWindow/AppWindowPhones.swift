internal import FoundationEssentials
internal import Synchronization

/// What the window shows of phones that have LocalSend: those that can get something, and what they send.
package final class AppWindowPhones: Sendable {
    /// What the pages get.
    struct Shown: Encodable, Sendable {
        /// Whether phones find this machine, as far as the person wants it; nil where it is not possible.
        var isOn: Bool?
        /// The name under which phones list this machine; nil while they do not.
        var name: String?
        /// Why phones do not find this machine; nil if they do.
        var trouble: AppWindowText?
        /// The phones that are there; nil while nothing is sent to phones.
        var list: [AppWindowPhone]?
        /// What they can get, the usual thing first.
        var files: [AppWindowPhone.File] = []
        /// What they send to this machine.
        var rows: [AppWindowReceiver] = []
        var status: AppWindowText?
        /// What has come from them.
        var lines = AppWindowNews()
    }

    private struct State {
        var shown = Shown()
        var choose: (@Sendable (AppWindowPhone.Wish) -> Bool)?
        var lastNews = SuspendingClock.now
        /// Returns whether something of a phone comes, or waits for a decision; nil while nothing can come.
        var isBusy: (@Sendable () -> Bool)?
    }

    private let state = Mutex(State())

    /// What the pages show.
    var current: Shown { state.withLock { $0.shown } }

    /// Whether something has come from a phone a moment ago, so that the window is in use also without a page.
    func isActive(at now: SuspendingClock.Instant) -> Bool {
        state.withLock { !$0.shown.rows.isEmpty && now - $0.lastNews < AppWindowState.patience }
    }

    // MARK: For the pages

    /// Does what a person wants of a phone; returns false if it cannot be done any more.
    package func choose(_ wish: AppWindowPhone.Wish) -> Bool {
        // Not within the lock: it may show something.
        state.withLock { $0.choose }?(wish) ?? false
    }

    // MARK: For the program

    /// Whether phones find this machine, as far as the person wants it.
    package var isOn: Bool { state.withLock { $0.shown.isOn ?? false } }

    /// Whether something of a phone comes beside the job, or waits for a decision.
    package var areSending: Bool {
        let (isComing, isBusy) = state.withLock { (!$0.shown.rows.isEmpty, $0.isBusy) }
        return isComing || isBusy?() ?? false
    }

    /// Notes what says from now on whether something of a phone comes, or waits for a decision; nil for nothing.
    package func watch(_ isBusy: (@Sendable () -> Bool)?) { state.withLock { $0.isBusy = isBusy } }

    /// Notes whether the person wants phones to find this machine.
    package func turn(on isOn: Bool) { state.withLock { $0.shown.isOn = isOn } }

    /// Shows that phones do not list this machine any more, or not yet.
    package func unlist() { state.withLock { ($0.shown.name, $0.shown.trouble) = (nil, nil) } }

    /// Shows under which name phones list this machine.
    package func list(as name: String) { state.withLock { $0.shown.name = AppWindowReceiver.limited(name) } }

    /// Shows why phones do not find this machine.
    package func show(trouble: AppWindowText) { state.withLock { $0.shown.trouble = trouble.limited } }

    /// Shows the phones that can get something, until the list ends.
    ///
    /// - Parameter choose: Does what a person wants of one; returns false if it cannot be done any more.
    package func show(
        _ phones: [AppWindowPhone],
        files: [AppWindowPhone.File],
        choosing choose: @escaping @Sendable (AppWindowPhone.Wish) -> Bool
    ) {
        state.withLock { state in
            state.shown.list = phones.prefix(AppWindowPhone.maximumCount).map(\.limited)
            (state.shown.files, state.choose) = (files, choose)
        }
    }

    /// Shows no phones any more.
    package func endList() {
        state.withLock { ($0.shown.list, $0.shown.files, $0.choose) = (nil, [], nil) }
    }

    /// Shows what phones send, in the place of what was shown before.
    package func show(_ rows: [AppWindowReceiver]) {
        state.withLock { state in
            state.lastNews = .now
            state.shown.rows = rows.suffix(AppWindowReceiver.maximumCount).map(\.limited)
        }
    }

    /// Shows what is done with something that a phone has sent, until the next call; nil for nothing.
    package func show(_ status: AppWindowText?) { state.withLock { $0.shown.status = status?.limited } }

    /// Tells what has come.
    ///
    /// - Parameters:
    ///   - answer: What the person has answered to the question that the text is; nil if it is none.
    ///   - region: The id of the region that has come; nil for none.
    ///   - link: The share link from which a map can be received; nil for none.
    package func tell(
        _ text: AppWindowText,
        isProblem: Bool = false,
        answer: String? = nil,
        region: String? = nil,
        link: String? = nil
    ) {
        state.withLock { state in
            state.lastNews = .now
            state.shown.lines.add(
                text,
                isProblem: isProblem,
                answer: answer,
                region: region,
                link: link,
                at: Date()
            )
        }
    }
}
