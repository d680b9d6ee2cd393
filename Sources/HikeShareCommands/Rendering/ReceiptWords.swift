import PeerCore

/// What a receiver took over, in words.
enum ReceiptWords {
    /// What was taken over: `map, routing, 46 waypoints`; empty if nothing was.
    static func imported(_ receipt: TransferReceipt) -> String {
        words(receipt.imported)
    }

    /// What was left as it was; empty if nothing was.
    static func keptLocal(_ receipt: TransferReceipt) -> String {
        words(receipt.keptLocal)
    }

    // The other side writes this; kinds that are not known are left out.
    private static func words(_ counts: [String: Int]) -> String {
        ResourceKind.shown
            .compactMap { kind in
                counts[kind.rawValue].flatMap { $0 > 0 ? kind.words(count: $0) : nil }
            }
            .joined(separator: ", ")
    }
}
