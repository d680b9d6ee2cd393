public import FoundationEssentials
public import PeerCore
public import RegionStore

/// The end of a transfer of a sender.
public struct SentFacts: Sendable {
    /// What this side has decided about a receiver.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Decision: Hashable, Sendable {
        case accepted(Date)
        case declined(Decline)
    }

    /// Why a receiver was not let in.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Decline: Hashable, Sendable {
        case byPerson
        /// There is no person to ask.
        case nobodyToAsk
        /// The person cannot answer at this moment.
        case notNow
        /// Other questions took all of the time.
        case otherQuestions
        /// It asks for something in a way that this version does not know.
        case notUnderstood

        /// What the receiver is told.
        var refusal: Refusal {
            switch self {
            case .byPerson: Refusal(.declined, "the person there said no.")
            case .nobodyToAsk: Refusal(.notTrusted, "the sender does not trust this machine and cannot ask anyone.")
            case .notNow: Refusal(.other, "nobody can be asked there now.")
            case .otherQuestions: Refusal(.other, "the person there was asked about other machines all the time.")
            case .notUnderstood: Refusal(.other, "the sender does not understand which part of the map you want.")
            }
        }
    }

    /// How the transfer has ended.
    public var finished: TransferSender.Finished
    /// What this side has decided; nil if it has not.
    public var decision: Decision?
    /// The region; nil if none was picked.
    public var region: RegionSummary?
    /// Whether the sender offers several.
    public var isOneOfSeveral = false

    /// Why this side has not let the receiver in; nil if it has, or if nothing was decided.
    public var decline: Decline? { if case .declined(let decline) = decision { decline } else { nil } }

    /// Whether the connection was lost during the transfer.
    ///
    /// The receiver has accepted the offer, so it reconnects.
    public var isConnectionLost: Bool {
        guard case .failure(let error as PeerError) = finished.result, case .accepted = decision else { return false }
        return error.code == .connectionLost && finished.bytesTransferred > 0
    }

    /// The outcome, as it is recorded.
    package var outcome: TransferHistoryEntry.Outcome {
        switch finished.result {
        case .success: .completed
        case .failure(let error as PeerError) where error.code == .outcomeUnknown: .unconfirmed
        case .failure: .abandoned
        }
    }
}

extension TransferReceipt {
    /// Returns the receipt without more items than a region has: the other side may have written anything.
    package func limited(to region: RegionSummary) -> TransferReceipt {
        func limited(_ counts: [String: Int]) -> [String: Int] {
            counts.reduce(into: [:]) { limited, entry in
                guard let most = ResourceKind(rawValue: entry.key).flatMap({ region.count(of: $0) }) else { return }
                limited[entry.key] = min(entry.value, most)
            }
        }
        return TransferReceipt(
            imported: limited(imported),
            keptLocal: limited(keptLocal),
            changes: changes.filter { region.count(of: $0.kind) != nil }
        )
    }
}

extension RegionSummary {
    /// Returns how many items, or files, of a kind the region has; nil if regions have no such kind.
    package func count(of kind: ResourceKind) -> Int? {
        switch kind {
        case .mbtiles: foreign == nil ? 1 : 0
        case .foreign: foreign == nil ? 0 : 1
        case .routing: hasRoutingData ? 1 : 0
        case .savedroutes: hikeCount
        case .plannedroutes: plannedRouteCount
        case .waypoints: waypointCount
        case .photos: photoCount
        default: nil
        }
    }
}
