import RegionModel

/// The tiles of a zoom level that have a part of an area.
struct AreaTiles {
    let rows: ClosedRange<Int>
    let columns: [ClosedRange<Int>]

    init(of area: BoundingBox, zoomLevel: Int) {
        let grid = TileGrid(zoomLevel: zoomLevel)
        func tile(_ latitude: Double, _ longitude: Double) -> (column: Int, row: Int) {
            let last = grid.length - 1
            // No tile is beyond 85.05°.
            let place = Coordinate(latitude: min(85.05, max(-85.05, latitude)), longitude: longitude)
            return place.flatMap(grid.tile) ?? (0, latitude > 0 ? 0 : last)
        }
        let (first, last) = (tile(area.north, 0).row, tile(area.south, 0).row)
        // A tile that only touches the area at its edge has nothing of it.
        let bottom = last > first && grid.latitude(last) <= area.south ? last - 1 : last
        rows = first...max(first, bottom)
        columns = area.longitudes.map { range in
            let (first, last) = (tile(0, range.lowerBound).column, tile(0, range.upperBound).column)
            let end = last > first && grid.longitude(last) >= range.upperBound ? last - 1 : last
            return first...max(first, end)
        }
    }

    func contains(column: Int, row: Int) -> Bool {
        rows.contains(row) && columns.contains { $0.contains(column) }
    }

    /// Returns the tiles of a run that are among these.
    func common(_ run: TileRun) -> [TileRun] {
        guard rows.contains(run.row) else { return [] }
        return columns.compactMap { columns in
            let (first, last) = (max(run.first, columns.lowerBound), min(run.last, columns.upperBound))
            return first <= last ? TileRun(row: run.row, first: first, last: last) : nil
        }
    }
}
