package import RegionStore

/// A part of a map, as reports say it.
package struct PartFacts: Hashable, Sendable {
    package var description: CutDescription
    /// The number of tiles of the part.
    package var tileCount: Int

    /// What the part was cut along, in words: `2 km along “Pic de Coma Pedrosa”, up to zoom 14`; empty if that is not known.
    package var words: DisplayText {
        var words: [DisplayText] = []
        if !description.distances.isEmpty {
            words += description.strips.map { name, distance in
                "\(Wording.distance(distance ?? 0)) along \(DisplayText(quoting: name))"
            }
        } else if let distance = description.distance {
            let names = description.names.map { DisplayText(quoting: $0) }.joined(separator: ", ")
            // Another machine may send a line without a name.
            let lines: DisplayText = description.names.isEmpty ? "a route" : names
            words.append("\(Wording.distance(distance)) along \(lines)")
        }
        if let area = description.area { words.append("in \(Wording.bounds(area))") }
        if let zoom = description.maximumZoom { words.append("up to zoom \(zoom)") }
        return words.joined(separator: ", ")
    }

    /// The same before more words.
    package var place: DisplayText { words.isEmpty ? "" : "\(words), " }

    /// How much of the whole map it is: `502 of 5,878 tiles of a map of 69 MB`, without a size that is only estimated.
    package var share: DisplayText {
        guard !description.isSizeEstimated else { return count }
        return "\(count) of a map of \(Wording.size(UInt64(clamping: description.wholeSize)))"
    }

    /// How many tiles it has: `502 of 5,878 tiles`.
    package var count: DisplayText { "\(tileCount) of \(Wording.count(description.wholeTileCount, "tile"))" }

    /// A sentence about an exported part.
    package var sentence: DisplayText { "The map is a part: \(place)\(share)" }
}

extension CutDescription {
    /// The part in JSON.
    package var json: JSONObject {
        [
            "along": names.isEmpty ? nil : names,
            "within": distance,
            "withinEach": distances.isEmpty ? nil : distances,
            "area": area,
            "maxZoom": maximumZoom,
            "tileCount": wholeTileCount,
            "fileSizeBytes": isSizeEstimated ? nil : wholeSize,
        ]
    }
}

extension Region {
    /// What reports say of its map if it is a part.
    package var part: PartFacts? { cut.map { PartFacts(description: $0, tileCount: tileCount) } }
}

extension RegionSummary {
    /// What reports say of its map if it is a part.
    package var part: PartFacts? { cut.map { PartFacts(description: $0, tileCount: tileCount) } }
}

extension RegionCut {
    /// What reports say of it.
    package var facts: PartFacts { PartFacts(description: description, tileCount: tileCount) }
}
