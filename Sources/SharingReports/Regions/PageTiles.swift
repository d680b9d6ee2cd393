package import RegionStore

/// Which tiles of a map a page for a browser has.
package struct PageTiles {
    /// The zoom levels of the whole map.
    let whole: [Int]
    /// The zoom levels that have only the tiles along the hikes and routes.
    let alongRoutes: [Int]
    /// The zoom levels that the map has and the page does not.
    private let missing: [Int]
    private let hasPhotos: Bool

    package init(_ selection: CutRule, zooms: [Int], hasPhotos: Bool) {
        let (highest, along) = (selection.wholeZoom ?? -1, selection.maximumZoom ?? -1)
        whole = zooms.filter { $0 <= highest }
        alongRoutes = zooms.filter { $0 > highest && $0 <= along }
        missing = zooms.filter { $0 > max(highest, along) }
        self.hasPhotos = hasPhotos
    }

    /// What is not everything, in sentences; empty for a whole map with its photos.
    var sentences: [DisplayText] {
        var sentences: [DisplayText] = []
        if !alongRoutes.isEmpty {
            let start: DisplayText = whole.isEmpty ? "It has" : "It has the map at \(Wording.zoomWords(whole)), and"
            sentences.append("\(start) the strip along the hikes and routes at \(Wording.zoomWords(alongRoutes)).")
        }
        if !missing.isEmpty { sentences.append("It does not have \(Wording.zoomWords(missing)).") }
        if !missing.isEmpty || !alongRoutes.isEmpty {
            sentences.append("--max-zoom Z writes the whole map up to a zoom level, as one file of at most 50 MB.")
        }
        if !hasPhotos { sentences.append("It has no photos, because they are too large for it.") }
        return sentences
    }
}
