import Logging
import PeerCore
import PeerProtocol

/// How links are given up by this side, and how the session ends.
extension SessionHub {
    /// The shortest time that peers get to receive the goodbye of this machine.
    static let farewellTime: Duration = .milliseconds(250)

    /// Ends the link with a peer, and refuses the peer until it is invited again or the session ends.
    func disconnect(_ id: PeerID, telling reason: String) {
        sayGoodbye(to: id, Cancellation(reason: reason, disconnects: true))
        let call = connections.makeNumber()
        apply(id) { $0.disconnected(by: call, at: clock.now) }
        // Another connection may be about to carry a link.
        for number in connections.unfinished(with: id) { decline(number, .disconnected) }
        apply(id) { $0.show(.disconnected(.endedByUs)) }
    }

    private func sayGoodbye(to id: PeerID, _ word: Cancellation) {
        guard let number = peers[id]?.carrier else { return }
        end(number) { $0.cancel(word) }
        _ = connections.unname(number, in: &peers[id])
    }

    /// Tells the members that this machine is leaving.
    func announceLeaving() {
        guard !hasLeft else { return }
        roster.leave()
        spreadRecords()
    }

    /// Tells the peers that this machine is leaving, and ends the session; connections may take as long as the limit to close.
    func leave(telling reason: String, within limit: Duration) async {
        guard !hasLeft else { return }
        announceLeaving()
        let lastRecord = (try? MemberList.payloads(of: [roster.own])) ?? []
        departure.hasLeft = true
        states.leave()
        presence.endAnnouncements()
        work.handlers.endAll()
        for id in peers.ids {
            // The record must precede the goodbye, which ends the link. It may still wait behind other data, and a peer that does
            // not get it would continue to introduce this machine to others.
            peers[id]?.link?.tell(lastMembers: lastRecord)
            sayGoodbye(to: id, Cancellation(reason: reason))
            apply(id) { $0.giveUp(.notConnected, .endedByUs, at: clock.now) }
        }
        for number in connections.unfinished() { end(number) { $0.lost() } }
        // The peers close their connections when they have received the goodbye. The limit ends the wait for those that do not.
        if !isAtRest {
            let cancelTimer = clock.schedule(at: clock.now + limit) {
                self.work.add { await self.noteRest(evenIfBusy: true) }
            }
            await withCheckedContinuation { departure.whenAtRest = $0 }
            cancelTimer()
        }
        work.finish()
    }

    private var isAtRest: Bool { connections.isEmpty && departure.pinCount == 0 }

    /// Ends the wait of ``leave(telling:within:)`` if nothing is left to wait for, or if it has lasted too long.
    func noteRest(evenIfBusy: Bool = false) {
        guard isAtRest || evenIfBusy else { return }
        departure.rest()
    }

    /// Saves a trusted peer, concurrently with everything else.
    func pin(_ number: Int, _ remote: RemotePeer) {
        let remote = connections[number]?.shown(remote) ?? remote
        departure.pinCount += 1
        let isRunning = work.add { [configuration, work] in
            do {
                try await work.keeping { try await configuration.trust.pin(remote.id, name: remote.displayName) }
            } catch {
                // The link does not depend on the entry. Without it, people compare digits again next time.
                configuration.logger.error("the trusted peer was not kept", metadata: ["error": "\(error)"])
            }
            await self.pinned()
        }
        if !isRunning { pinned() }
    }

    private func pinned() {
        departure.pinCount -= 1
        noteRest()
    }
}

extension SessionHub {
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
}
