package import RegionStore

extension MapDifference {
    /// What changes of the tiles: `7 of 120 tiles differ, 3 more are new; 15 of 132 tiles are gone (zoom 12)`.
    package func words(on routes: ChangedRoutes?) -> DisplayText {
        var words: DisplayText
        if changed.count == 0, added.count > 0 {
            words = "\(added.count) of \(Wording.count(tileCount, "tile")) \(Wording.are(added.count)) new"
        } else {
            words =
                "\(changed.count) of \(Wording.count(tileCount, "tile")) \(changed.count == 1 ? "differs" : "differ")"
            if added.count > 0 { words = "\(words), \(added.count) more \(Wording.are(added.count)) new" }
        }
        words = "\(words)\(routes?.words(of: newCount) ?? "")"
        guard gone.count > 0 else { return words }
        let former = Wording.count(tileCount - added.count + gone.count, "tile")
        let zooms = Wording.zoomWords(gone.zooms.sorted())
        return "\(words); \(gone.count) of \(former) \(Wording.are(gone.count)) gone (\(zooms))"
    }
}

extension MapUnion.Counts {
    /// Which tiles of a part are left out: `; 12 of yours are newer and stay`; empty if none are.
    package var keptWords: DisplayText {
        var words: [DisplayText] = []
        if older > 0 { words.append("\(older) of yours \(older == 1 ? "is newer and stays" : "are newer and stay")") }
        if unknown > 0 {
            words.append("\(unknown) of yours \(unknown == 1 ? "stays" : "stay"), because nobody knows which are newer")
        }
        return words.isEmpty ? "" : "; \(words.joined(separator: "; "))"
    }
}

extension MapChange {
    /// What happens to the tiles, in words; nil if that is not known.
    package func words(on routes: ChangedRoutes?) -> DisplayText? {
        difference.map { "\($0.words(on: routes))\(union?.keptWords ?? "")" }
    }

    /// The fields in JSON.
    package func json(on routes: ChangedRoutes?) -> JSONObject {
        [
            "newTiles": difference?.newCount,
            "addedTiles": difference?.added.count,
            "goneTiles": difference?.gone.count,
            "goneZooms": difference?.gone.zooms.sorted(),
            "newerTilesHere": union?.older,
            "tilesOfUnknownAge": union?.unknown,
            "newTilesOnRoutes": routes?.tileCount,
            "changedRoutes": routes?.names,
        ]
    }
}

extension ChangedRoutes {
    /// How many names are shown.
    private static let shownCount = 3

    /// What follows the number of tiles that differ: `, 12 of them on “Coma Pedrosa”`; empty if it is not known where.
    package func words(of count: Int) -> DisplayText {
        guard count > 0 else { return "" }
        guard tileCount > 0 else { return isLeast ? "" : ", none of them on your hikes and routes" }
        let shown = names.prefix(Self.shownCount).map { DisplayText(quoting: $0) }
        let rest = names.count - shown.count
        let list = shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return ", \(isLeast ? "at least " : "")\(tileCount) of them on \(list)"
    }
}
