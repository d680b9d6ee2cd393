import FoundationEssentials
import PeerCore
import RegionStore
import Synchronization

/// Decides on invitations, and records their results.
final class InvitationPrompt: Sendable {
    /// The decision about a peer.
    enum Decision {
        case accepted(Date)
        case declined(Decline)
    }

    /// Why a peer was not let in.
    enum Decline {
        case byPerson
        case noTerminal
        case inBackground
        /// Other questions took all of the time.
        case otherQuestions
        case notUnderstood
    }

    private static let maximumDecisionCount = 1000

    private let region: RegionSummary
    /// The regions that are offered besides.
    private let others: [RegionSummary]
    private let personal: PersonalContent
    private let store: RegionStore
    private let console: Console
    private let acceptsAll: Bool
    private let decisions = Mutex<[RemotePeer: Decision]>([:])

    init(
        region: RegionSummary,
        others: [RegionSummary] = [],
        personal: PersonalContent,
        store: RegionStore,
        console: Console,
        acceptsAll: Bool
    ) {
        self.region = region
        self.others = others
        self.personal = personal
        self.store = store
        self.console = console
        self.acceptsAll = acceptsAll
    }

    /// Decides on an invitation: asks, unless the peer is admitted or every peer is accepted.
    func decide(_ invitation: Invitation) async -> InvitationAnswer {
        let peer = invitation.peer
        var request: PartRequest?
        do {
            request = try invitation.context.map { try PartRequest(parsing: $0) }
        } catch {
            note(peer, .declined(.notUnderstood))
            return .decline(Refusal(.other, "the sender does not understand which part of the map you want."))
        }
        let end = ContinuousClock.now + ConnectionConfiguration().invitationTimeout
        let report = InvitationReport(
            peer: peer,
            regionName: region.name,
            regionCount: 1 + others.count,
            personal: personal,
            part: request.map(part),
            digits: invitation.pairing,
            turn: invitation.turn
        )
        console.emitForPrograms(report)
        if isWelcome(invitation) {
            console.note(report.announcement)
            note(peer, .accepted(Date()))
            return .accept
        }
        guard console.canAsk else {
            note(peer, .declined(.noTerminal))
            return .decline(Refusal(.notTrusted, "the sender does not trust this machine and cannot ask anyone."))
        }
        guard console.canHear else { return cannotAskNow(peer) }
        if console.isAsking { console.note("\(peer.title) waits until you have answered.") }
        do {
            switch try await console.confirm(report.question, until: end, introduction: report.introduction(in:)) {
            case true?:
                note(peer, .accepted(Date()))
                return .acceptAndPin
            case false? where console.canHear:
                note(peer, .declined(.byPerson))
                return .decline(Refusal(.declined, "the person there said no."))
            case false?:
                return cannotAskNow(peer)
            case nil:
                note(peer, .declined(.otherQuestions))
                return .decline(Refusal(.other, "the person there was asked about other machines all the time."))
            }
        } catch {
            // The peer is gone, the time is over, or this side stops, so the answer has no effect.
            return .decline(Refusal(.noAnswer, "there was no answer in time."))
        }
    }

    /// Nobody is asked while a shell has this program in the background.
    private func cannotAskNow(_ peer: RemotePeer) -> InvitationAnswer {
        note(peer, .declined(.inBackground))
        return .decline(Refusal(.other, "nobody can be asked there now."))
    }

    /// Returns what a receiver asks for of the map.
    private func part(_ request: PartRequest) -> PartFacts {
        // Within the limits that the part will have.
        let distance = CutRule(within: request.distance ?? CutRule.usualDistance).distance
        let description = CutDescription(
            names: request.names + request.routes,
            distance: request.lines.isEmpty && request.routes.isEmpty ? nil : distance,
            area: request.area,
            maximumZoom: request.maximumZoom,
            wholeTileCount: region.tileCount,
            wholeSize: Int64(clamping: region.mapSize)
        )
        return PartFacts(description: description, tileCount: 0)
    }

    /// Returns whether no question is necessary.
    ///
    /// A peer with the share link or a trusted peer is admitted. But if the other side no longer trusts this machine,
    /// people on both sides must compare digits.
    private func isWelcome(_ invitation: Invitation) -> Bool {
        if acceptsAll || invitation.peer.isAdmittedByShareLink { return true }
        return invitation.peer.isTrusted && (invitation.pairing == nil || !console.canAsk)
    }

    /// Shows the result of a transfer, and records the transfer in the store if the peer was accepted.
    ///
    /// - Parameters:
    ///   - finished: The result.
    ///   - isLast: Whether the conversation is over; if not, the receiver has picked more regions.
    func finish(_ finished: TransferSender.Finished, isLast: Bool = true) {
        let decision = finished.peer.flatMap { peer in
            decisions.withLock { isLast ? $0.removeValue(forKey: peer) : $0[peer] }
        }
        guard !Self.hasOnlyConnected(finished) else { return }
        let offered = finished.offer.flatMap { id in ([self.region] + others).first { $0.id == id } }
        var finished = finished
        if case .success(let receipt) = finished.result {
            finished.result = .success(receipt.limited(to: offered ?? region))
        }
        let report = SentReport(
            finished: finished,
            decision: decision,
            region: others.isEmpty ? self.region : offered,
            isOneOfSeveral: !others.isEmpty
        )
        console.emit(report)
        guard let peer = finished.peer, case .accepted(let startedAt)? = decision else { return }
        let outcome: TransferHistoryEntry.Outcome =
            switch finished.result {
            case .success: .completed
            case .failure(let error as PeerError) where error.code == .outcomeUnknown: .unconfirmed
            case .failure: .abandoned
            }
        // Of several regions, the receiver may have picked none.
        guard let region = others.isEmpty ? self.region : offered else { return }
        let entry = TransferHistoryEntry(
            direction: .sent,
            partner: TransferPeer(peer),
            regionID: region.id,
            regionName: region.name,
            startedAt: startedAt,
            endedAt: Date(),
            outcome: outcome,
            byteCount: finished.bytesTransferred
        )
        do {
            try store.record(entry)
        } catch {
            console.warn(ProblemReport(error, severity: .warning))
        }
        _ = PeerRecorder(store: store, console: console).record(peer, isNew: false)
    }

    /// Whether a connection ended before its peer said who it is: when `doctor` tests the way to this machine, or when a link of
    /// another sender leads to it.
    ///
    /// Stopping this program ends such a connection, too, and is no news either.
    private static func hasOnlyConnected(_ finished: TransferSender.Finished) -> Bool {
        guard finished.peer == nil, case .failure(let error as PeerError) = finished.result else { return false }
        return [.connectionLost, .cancelled, .notTrusted].contains(error.code)
    }

    private func note(_ peer: RemotePeer, _ decision: Decision) {
        decisions.withLock { decisions in
            // Not every refused transfer is reported, so their decisions must be removed here.
            if decisions.count >= Self.maximumDecisionCount {
                decisions = decisions.filter { if case .accepted = $1 { true } else { false } }
            }
            decisions[peer] = decision
        }
    }
}
