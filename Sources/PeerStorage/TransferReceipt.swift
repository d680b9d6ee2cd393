/// What came of a transfer at the receiver's side.
public struct TransferReceipt: Hashable, Sendable, Codable {
    /// How many items of each kind were taken over, such as 1 map or 46 waypoints, by the name of the resource kind.
    public var imported: [String: Int]

    /// How many items of each kind the receiver left as they were, because its own are newer.
    public var keptLocal: [String: Int]

    /// Creates a receipt.
    public init(imported: [String: Int] = [:], keptLocal: [String: Int] = [:]) {
        self.imported = imported
        self.keptLocal = keptLocal
    }
}
