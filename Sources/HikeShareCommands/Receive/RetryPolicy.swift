import PeerCore

/// When a transfer that broke off is tried again, and where. (Design, "Timers".)
struct RetryPolicy: Sendable {
    /// How long after each failure.
    static let delay: Duration = .seconds(5)

    var browser: PeerBrowser
    /// How often in a row it has been tried.
    var attempts = 0
    /// How long to wait before the next attempt.
    var patience = Self.delay

    /// Counts a failure.
    ///
    /// Attempts are counted from the last one that brought something new, so that they come to an end.
    ///
    /// - Parameters:
    ///   - limit: How many attempts in a row there are.
    ///   - kept: How many bytes were here before the attempt that failed.
    ///   - now: How many bytes are here now.
    /// - Returns: Whether there is another attempt.
    mutating func triesAgain(atMost limit: Int, kept: UInt64, now: UInt64) -> Bool {
        if now > kept { attempts = 0 }
        guard attempts < limit else { return false }
        attempts += 1
        return true
    }

    /// How often it is worth trying again after an error; 0 if it will not go away by itself.
    ///
    /// Before anybody has agreed there is nothing to go on with. But who was found may just have started anew, and caches
    /// of discovery then tell for some seconds where it was before.
    static func maximumAttempts(
        after error: any Error,
        at location: SenderLocation,
        hasAgreed: Bool,
        _ retries: Int
    ) -> Int {
        guard let error = error as? PeerError else { return 0 }
        if hasAgreed { return [.connectionLost, .cannotConnect, .timedOut].contains(error.code) ? retries : 0 }
        guard case .peer = location, error.code == .cannotConnect else { return 0 }
        return min(retries, 2)
    }

    /// How long to wait before the next attempt; nil if the time for finding a sender is over.
    static func patience(
        hasAgreed: Bool,
        until deadline: ContinuousClock.Instant,
        at now: ContinuousClock.Instant,
        atMost delay: Duration = Self.delay
    ) -> Duration? {
        if hasAgreed { return delay }
        return now < deadline ? min(delay, deadline - now) : nil
    }

    /// Says why there is no further attempt: who was there and does not answer any more is lost, not unknown.
    static func conclusion(_ error: any Error, hasAgreed: Bool) -> any Error {
        guard hasAgreed, var error = error as? PeerError, error.code == .cannotConnect else { return error }
        error.code = .connectionLost
        error.message = "The connection to the other side was lost. \(error.message)"
        return error
    }

    /// Waits until it is time for the next attempt, and looks meanwhile where the sender is now; nil if a person stops it.
    ///
    /// Its address may be another one, after a change of network or a restart; it is time as soon as that is seen.
    func nextLocation(after location: SenderLocation, _ control: TransferControl) async -> SenderLocation? {
        let seen = Seen()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: patience) }
            group.addTask { await waitForEnd(control) }
            if case .peer(let peer) = location {
                group.addTask {
                    if await follow(peer, seen) { return }
                    // Where nothing can be found, time passes all the same.
                    await waitForEnd(TransferControl())
                }
            }
            await group.next()
            group.cancelAll()
        }
        guard !control.isCancelled, !Task.isCancelled else { return nil }
        return await seen.peer.map { .peer($0) } ?? location
    }

    private func waitForEnd(_ control: TransferControl) async {
        while !control.isCancelled, (try? await Task.sleep(for: .milliseconds(100))) != nil {}
    }

    /// Notes where a peer is seen; returns true as soon as that is where it was not before, false if there is nothing to see.
    private func follow(_ peer: DiscoveredPeer, _ seen: Seen) async -> Bool {
        guard let id = peer.peerID else { return false }
        let isElsewhere = try? await browser.withEvents { events in
            for await event in events {
                switch event {
                case .found(let found), .changed(let found):
                    guard found.peerID == id else { continue }
                    await seen.set(found)
                    if !Set(found.addresses).isSubset(of: peer.addresses) { return true }
                case .lost, .allForNow, .failed:
                    break
                }
            }
            return false
        }
        return isElsewhere ?? false
    }

    /// The sender as it was seen last.
    private actor Seen {
        var peer: DiscoveredPeer?

        func set(_ peer: DiscoveredPeer) { self.peer = peer }
    }
}
