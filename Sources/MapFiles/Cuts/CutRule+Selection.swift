import RegionModel

extension CutRule {
    /// Decides which tiles are taken.
    struct Selection {
        private let rule: CutRule
        private let strip: TileRuns?
        /// What is known of each zoom level.
        private var strips: [Int: TileRuns] = [:]
        private var areas: [Int: AreaTiles] = [:]

        init(_ rule: CutRule) throws {
            self.rule = rule
            strip = try rule.strip()
        }

        mutating func contains(_ address: TileAddress) -> Bool {
            let zoomLevel = address.zoomLevel
            if let whole = rule.wholeZoom, zoomLevel <= whole { return true }
            if let highest = rule.maximumZoom, zoomLevel > highest { return false }
            if let strip {
                let steps = zoomLevel - CutRule.detail
                if steps >= 0 {
                    guard strip.contains(column: address.column >> steps, row: address.row >> steps) else {
                        return false
                    }
                } else {
                    let coarse = strips[zoomLevel] ?? strip.coarsened(by: -steps)
                    strips[zoomLevel] = coarse
                    // The strip is already within the area.
                    return coarse.contains(column: address.column, row: address.row)
                }
            }
            guard let area = rule.area else { return true }
            let tiles = areas[zoomLevel] ?? AreaTiles(of: area, zoomLevel: zoomLevel)
            areas[zoomLevel] = tiles
            return tiles.contains(column: address.column, row: address.row)
        }
    }
}
