/// The result of a transfer, as the receiver reports it to the sender.
public struct TransferReceipt: Hashable, Sendable, Codable {
    /// The number of imported items by the name of the resource kind, such as 46 for `waypoints`.
    public var imported: [String: Int]

    /// The number of items that the receiver did not change because its own are newer, by the name of the resource kind.
    public var keptLocal: [String: Int]

    /// Creates a receipt.
    public init(imported: [String: Int] = [:], keptLocal: [String: Int] = [:]) {
        self.imported = imported
        self.keptLocal = keptLocal
    }
}
