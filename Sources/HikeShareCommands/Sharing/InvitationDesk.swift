import FoundationEssentials
import PeerCore
import RegionStore
import Synchronization

/// Where invitations are decided on, and what became of them is noted.
final class InvitationDesk: Sendable {
    private let region: RegionSummary
    private let store: RegionStore
    private let console: Console
    private let acceptsAll: Bool
    /// When a peer was let in; nil if it was not.
    private let decisions = Mutex<[RemotePeer: Date?]>([:])

    init(region: RegionSummary, store: RegionStore, console: Console, acceptsAll: Bool) {
        self.region = region
        self.store = store
        self.console = console
        self.acceptsAll = acceptsAll
    }

    /// Decides on an invitation: asks, unless everybody is welcome.
    func decide(_ invitation: Invitation) async -> InvitationAnswer {
        let report = InvitationReport(peer: invitation.peer, regionName: region.name)
        console.emitForPrograms(report)
        if acceptsAll {
            console.note(report.text)
            note(invitation.peer, at: Date())
            return .accept
        }
        do {
            guard try await console.confirm(introduction: report.text, report.question) else {
                note(invitation.peer, at: nil)
                return .decline(Refusal(.declined, "the person there said no."))
            }
            note(invitation.peer, at: Date())
            return .accept
        } catch {
            // The peer has gone, time is over, or this side stops; whatever is answered, nobody hears it.
            return .decline(Refusal(.noAnswer, "nobody answered in time."))
        }
    }

    /// Tells how a session ended, and notes it in the store if the peer was let in.
    func finish(_ finished: TransferSender.Finished) {
        let decision = finished.peer.flatMap { peer in decisions.withLock { $0.removeValue(forKey: peer) } }
        console.emit(SentReport(finished: finished, wasAccepted: decision.map { $0 != nil }))
        guard let peer = finished.peer, let startedAt = decision ?? nil else { return }
        let isDone = if case .success = finished.result { true } else { false }
        let entry = TransferHistoryEntry(
            direction: .sent,
            partner: TransferPartner(peer),
            regionID: region.id,
            regionName: region.name,
            startedAt: startedAt,
            endedAt: Date(),
            outcome: isDone ? .completed : .abandoned,
            byteCount: finished.bytesCrossed
        )
        do {
            try store.record(entry)
        } catch {
            console.warn(ProblemReport(error, severity: .warning))
        }
    }

    private func note(_ peer: RemotePeer, at date: Date?) {
        decisions.withLock { $0[peer] = .some(date) }
    }
}
