import NIOConcurrencyHelpers
import PeerProtocol

/// Member records from a peer that the hub has not processed yet.
///
/// A newer record replaces an older record of the same member, so a peer that sends many records does not fill the memory.
final class MemberInbox: Sendable {
    /// What to do about received records.
    enum OnAdded: Hashable {
        /// Process them: no other records were waiting.
        case process
        /// Nothing: they are processed together with the records that already wait.
        case none
        /// End the link: the peer names more members than a group can have.
        case violated
    }

    /// Twice as many as the members (64) and departed members (64) that a peer can know.
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
            return wasEmpty && !waiting.isEmpty ? .process : .none
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
