package import PeerCore

/// The receipt of a receiver in words; unknown kinds and outcomes, which the other side may have written, are ignored.
package enum ReceiptWords {
    private static let maximumNameCount = 5

    /// Returns the imported content: `map, routing, 46 waypoints`; empty if there is none.
    package static func imported(_ receipt: TransferReceipt, isPart: Bool = false) -> String {
        words(receipt.imported, map: isPart ? "a part of the map" : nil)
    }

    /// Returns the items that the receiver kept in its own version; empty if there are none, or if ``changes(_:isReceiver:)`` has
    /// them all.
    package static func keptLocal(_ receipt: TransferReceipt) -> String {
        let named = receipt.changes.count { [.kept, .staysRemoved].contains($0.outcome) && !$0.name.isEmpty }
        return named < receipt.keptLocal.values.reduce(0, +) ? words(receipt.keptLocal) : ""
    }

    private static func words(_ counts: [String: Int], map: String? = nil) -> String {
        ResourceKind.shown
            .compactMap { kind in
                guard let count = counts[kind.rawValue], count > 0 else { return nil }
                return kind == .mbtiles ? map ?? kind.words(count: count) : kind.words(count: count)
            }
            .joined(separator: ", ")
    }

    /// Returns what happened to single items, in lines; at the receiver, its versions are `yours`.
    package static func changes(_ receipt: TransferReceipt, isReceiver: Bool) -> [DisplayText] {
        let (kept, other): (DisplayText, DisplayText) = isReceiver ? ("yours", "theirs") : ("theirs", "yours")
        func changes(_ outcome: ItemChange.Outcome) -> [ItemChange] {
            receipt.changes.filter { $0.outcome == outcome && !$0.name.isEmpty }
        }
        var lines = changes(.kept).map { change -> DisplayText in
            let local = (name: change.localName ?? change.name, note: change.localNote)
            return "  Kept \(kept): \(pair(local, other, (change.name, change.note)))"
        }
        lines += changes(.replaced).map { change in
            let local = (name: change.localName ?? change.name, note: change.localNote)
            return "  Changed: \(pair((change.name, change.note), "was", local))"
        }
        let removed: DisplayText = isReceiver ? "Removed there, still here" : "You removed it, still there"
        let titles: [(ItemChange.Outcome, DisplayText)] = [
            (.removedBySender, removed), (.added, "New"), (.staysRemoved, "Stays removed"),
        ]
        for (outcome, title) in titles {
            let names = changes(outcome).map { DisplayText(quoting: $0.name) }
            guard !names.isEmpty else { continue }
            // A receipt names a limited number of items.
            let more =
                receipt.changes.count < ItemChange.maximumCount ? "\(names.count - maximumNameCount) more" : "more"
            let rest: DisplayText = names.count > maximumNameCount ? " and \(more)" : ""
            lines.append("  \(title): \(names.prefix(maximumNameCount).joined(separator: ", "))\(rest)")
        }
        return lines
    }

    /// Two versions of an item: `“Fonts hut”, theirs “Cabane des Fonts (closed!)”`.
    private static func pair(
        _ one: (name: String, note: String?),
        _ word: DisplayText,
        _ other: (name: String, note: String?)
    ) -> DisplayText {
        let name = DisplayText(quoting: one.name)
        guard one.name == other.name else { return "\(name), \(word) \(DisplayText(quoting: other.name))" }
        guard let note = one.note, let otherNote = other.note else { return name }
        func words(_ note: String) -> DisplayText { note.isEmpty ? "no note" : DisplayText(quoting: note) }
        return "\(name): \(words(note)), \(word) \(words(otherNote))"
    }
}
