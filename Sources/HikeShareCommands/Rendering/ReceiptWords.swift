import PeerCore

/// The receipt of a receiver in words.
enum ReceiptWords {
    /// Returns what was imported: `map, routing, 46 waypoints`; empty if nothing was.
    static func imported(_ receipt: TransferReceipt) -> String {
        words(receipt.imported)
    }

    /// Returns the items of which the receiver kept its own version; empty if there are none.
    static func keptLocal(_ receipt: TransferReceipt) -> String {
        words(receipt.keptLocal)
    }

    // The other side wrote the receipt, so unknown kinds are ignored.
    private static func words(_ counts: [String: Int]) -> String {
        ResourceKind.shown
            .compactMap { kind in
                counts[kind.rawValue].flatMap { $0 > 0 ? kind.words(count: $0) : nil }
            }
            .joined(separator: ", ")
    }
}
