extension PMTilesHeader {
    /// What the header says, by the keys that MBTiles files use.
    var mbtilesMetadata: [String: String] {
        var metadata: [String: String] = [:]
        func degrees(_ number: Int32) -> String { "\(Double(number) / 10_000_000)" }
        metadata["format"] = tileType.format
        // An archive without bounds has zeros, or the whole world.
        if bounds[0] < bounds[2], bounds[1] < bounds[3] {
            metadata["bounds"] = bounds.map(degrees).joined(separator: ",")
            if zoomLevels.contains(centerZoom) {
                metadata["center"] = (center.map(degrees) + ["\(centerZoom)"]).joined(separator: ",")
            }
        }
        return metadata
    }
}
