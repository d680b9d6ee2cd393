import NIOConcurrencyHelpers
import PeerProtocol

/// The records of members that a peer has told and the hub has not looked at yet.
///
/// A newer record takes the place of an older one, so that a peer that tells much does not fill the memory.
final class MemberInbox: Sendable {
    /// What to do about records that have come.
    enum OnAdded: Hashable {
        /// Look at them: none were waiting.
        case look
        /// Nothing: they are looked at with those that wait.
        case none
        /// End the link: the peer tells of more members than a group can have.
        case violated
    }

    /// A peer tells of at most 64 members and 64 that have left, and this is twice as many.
    static let maximumCount = 4 * MemberRecord.maximumMemberCount

    private let box = NIOLockedValueBox<[PeerID: MemberRecord]>([:])

    /// Adds records.
    func add(_ records: [MemberRecord]) -> OnAdded {
        box.withLockedValue { waiting in
            let wasEmpty = waiting.isEmpty
            for record in records {
                if let other = waiting[record.id] {
                    if record.supersedes(other) { waiting[record.id] = record }
                } else if waiting.count < Self.maximumCount {
                    waiting[record.id] = record
                } else {
                    return .violated
                }
            }
            return wasEmpty && !waiting.isEmpty ? .look : .none
        }
    }

    /// Takes all records.
    func take() -> [MemberRecord] {
        box.withLockedValue { waiting in
            defer { waiting = [:] }
            return waiting.values.sorted { $0.id.precedes($1.id) }
        }
    }
}
