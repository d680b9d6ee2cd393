internal import RegionStore

/// The tiles that make up a picture of a map: those of one zoom level, everywhere or along lines.
struct PictureTiles: Hashable, Sendable {
    /// The maximum size of all tiles, in bytes; in base64 they have a third more.
    static let maximumSize: UInt64 = 3_500_000
    /// The maximum number of tiles, which phones keep in memory unpacked.
    static let maximumCount = 200
    let zoomLevel: Int
    /// The strip whose tiles are taken; nil for all tiles.
    let strip: CutRule?
    /// How many tiles there are.
    let amount: MapAmounts.Amount

    /// Chooses the highest zoom level that is not too large, with all tiles or only with those of a strip; nil if there is none.
    init?(_ amounts: MapAmounts, strip: CutRule?, upToZoom highest: Int) {
        func fits(_ amount: MapAmounts.Amount) -> Bool {
            amount.size <= Self.maximumSize && (1...Self.maximumCount).contains(amount.count)
        }
        func best(_ levels: [Int: MapAmounts.Amount]) -> (key: Int, value: MapAmounts.Amount)? {
            levels.filter { $0.key <= highest && fits($0.value) }.max { $0.key < $1.key }
        }
        if let (zoomLevel, amount) = best(amounts.whole) {
            (self.zoomLevel, self.strip, self.amount) = (zoomLevel, nil, amount)
        } else if let strip, let (zoomLevel, amount) = best(amounts.strip) {
            (self.zoomLevel, self.strip, self.amount) = (zoomLevel, strip, amount)
        } else {
            return nil
        }
    }
}
