package import FoundationEssentials

/// The receiver has committed everything.
package struct Acknowledgement: Hashable, Sendable, Codable {
    /// The manifest's id.
    package var id: UUID
    /// When it was committed, by the receiver's clock.
    package var time: Date
    /// How many items were taken over, by kind.
    package var imported: [String: Int]
    /// How many items the receiver left as they were, by kind.
    package var keptLocal: [String: Int]
    /// What happened to the items that were changed or kept, as far as it is told; nil for nothing.
    package var changes: [ItemChange]?

    package init(
        id: UUID,
        time: Date,
        imported: [String: Int],
        keptLocal: [String: Int],
        changes: [ItemChange] = []
    ) {
        self.id = id
        self.time = time
        self.imported = imported
        self.keptLocal = keptLocal
        self.changes = changes.isEmpty ? nil : changes
    }

    private enum CodingKeys: CodingKey { case id, time, imported, keptLocal, changes }

    /// Reads an acknowledgement.
    ///
    /// Missing changes are nil; any other missing key is an error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        time = try container.decode(Date.self, forKey: .time)
        imported = try container.decode([String: Int].self, forKey: .imported)
        keptLocal = try container.decode([String: Int].self, forKey: .keptLocal)
        changes = try container.decodeUnlessMissing([ItemChange].self, forKey: .changes)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        let changes = changes ?? []
        guard changes.count <= limits.maximumListLength, changes.allSatisfy({ $0.isWithin(limits) }) else {
            return false
        }
        return [imported, keptLocal].allSatisfy { counts in
            counts.count <= limits.maximumListLength
                && counts.allSatisfy { kind, count in
                    kind.utf8.count <= limits.maximumTextLength && (0...limits.maximumItemCount).contains(count)
                }
        }
    }
}
