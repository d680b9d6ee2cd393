/// How many tiles a map has at each zoom level: everywhere, and along lines.
package struct MapAmounts: Hashable, Sendable {
    /// A number of tiles and their total size.
    package struct Amount: Hashable, Sendable {
        /// The number of tiles.
        package var count = 0
        /// The total size, in bytes.
        package var size: UInt64 = 0

        mutating func add(_ length: UInt64) {
            count += 1
            size = size.addingReportingOverflow(length).partialValue
        }
    }

    /// All tiles.
    package var whole: [Int: Amount] = [:]

    /// The tiles of the strip; empty without one.
    package var strip: [Int: Amount] = [:]

    /// Creates amounts of no tiles.
    package init() {}

    /// The zoom levels that have tiles, the lowest first.
    package var zooms: [Int] { whole.keys.sorted() }
}

extension UntrustedDatabase {
    /// Counts the tiles of a map in one pass over the address and the length of each.
    ///
    /// - Parameter strip: The strip whose tiles are also counted apart; nil for none.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if the lines are too long for a strip; another one
    ///   if the map cannot be read.
    package func amounts(along strip: CutRule? = nil) throws -> MapAmounts {
        var amounts = MapAmounts()
        var selection = try strip.map { try CutRule.Selection($0) }
        try forEachTileRow("length(tile_data)") { address, row in
            let length = UInt64(clamping: max(0, row.integer(3)))
            amounts.whole[address.zoomLevel, default: .init()].add(length)
            if selection?.contains(address) == true { amounts.strip[address.zoomLevel, default: .init()].add(length) }
            return true
        }
        return amounts
    }
}
