public import PeerProtocol

/// The result of a transfer, as the receiver reports it to the sender.
///
/// ```swift
/// TransferReceipt(imported: ["notes": 3], keptLocal: ["notes": 1])
/// ```
public struct TransferReceipt: Hashable, Sendable, Codable {
    /// The number of imported items by the name of the resource kind, such as 46 for `waypoints`.
    public var imported: [String: Int]

    /// The number of items that the receiver did not change because its own are newer, by the name of the resource kind.
    public var keptLocal: [String: Int]

    /// What happened to the items that were changed or kept, the most important first; at most
    /// `ItemChange.maximumCount`.
    public var changes: [ItemChange]

    /// Creates a receipt.
    public init(imported: [String: Int] = [:], keptLocal: [String: Int] = [:], changes: [ItemChange] = []) {
        self.imported = imported
        self.keptLocal = keptLocal
        self.changes = changes
    }

    /// Returns the receipt of an acknowledgement.
    package init(_ acknowledgement: Acknowledgement) {
        self.init(
            imported: acknowledgement.imported,
            keptLocal: acknowledgement.keptLocal,
            changes: acknowledgement.changes ?? []
        )
    }

    /// Returns the receipt of an acknowledgement, without what was not sent, and without what this version does not know.
    ///
    /// A sender may report the removal of an item of a kind that it does not offer.
    package init(_ acknowledgement: Acknowledgement, of kinds: [ResourceKind], offered: [ResourceKind]) {
        self.init(acknowledgement)
        let names = Set(kinds.map(\.rawValue))
        imported = imported.filter { names.contains($0.key) }
        keptLocal = keptLocal.filter { names.contains($0.key) }
        changes.removeAll { change in
            let isSent = kinds.contains(change.kind)
            let isRemoval = change.outcome == .removedBySender && !offered.contains(change.kind)
            return !ItemChange.Outcome.all.contains(change.outcome) || !isSent && !isRemoval
        }
    }
}
