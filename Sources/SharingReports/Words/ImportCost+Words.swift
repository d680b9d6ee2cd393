import FoundationEssentials
package import RegionSharing
package import RegionStore

extension ImportCost {
    /// What the map has and what its import takes: `It has up to 49999999 tiles. To import it takes about 4 minutes, …`.
    package var words: DisplayText {
        let tiles: DisplayText = tileCount.map { "It has up to \(Wording.count($0, "tile")). " } ?? ""
        let time = Wording.roughly(.seconds(min(seconds, 1e6)))
        return "\(tiles)To import it takes \(time), and up to \(Wording.size(byteCount)) of the disk."
    }
}

extension LargeMap {
    /// What a person is told before the import begins.
    package var words: DisplayText { "\(DisplayText(quoting: file)) is a large map. \(cost.words)" }
}
