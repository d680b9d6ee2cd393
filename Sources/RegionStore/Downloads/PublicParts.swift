import FoundationEssentials
import RegionModel
import TrackFiles

// What is left of items that are shown without what concerns a person: no texts but the name, no times, no ids. Symbols and
// colours stay.

extension PlannedRoute {
    /// Returns the route with its name, its line, its symbol and its colour.
    func withoutPersonalParts() -> PlannedRoute {
        var copy = self
        copy.supplement.words = supplement.words?.withoutTexts()
        copy.supplement.pointTexts = nil
        copy.supplement.track = supplement.track.flatMap { data in
            // A table that cannot be read says nothing, and must not be passed on.
            (try? TrackColumns(decoding: data))?.without(.time).encoded
        }
        copy.createdAt = Date(timeIntervalSince1970: 0)
        copy.modifiedAt = nil
        return copy
    }
}

extension Waypoint {
    /// Returns the waypoint with its label, its place, its category, its symbol and its colour.
    func withoutPersonalParts() -> Waypoint {
        var copy = self
        copy.note = ""
        copy.hikeID = nil
        copy.hasPhoto = false
        copy.time = Date(timeIntervalSince1970: 0)
        copy.modifiedAt = nil
        var words = supplement.words?.withoutTexts() ?? GPXWords()
        if supplement.words == nil { words.type = category.rawValue }
        // No time in the file.
        words.time = ""
        copy.supplement = ItemSupplement(words: words)
        return copy
    }
}

extension GPXWords {
    /// Returns what says how an item is drawn, and nothing that a person may have written of it.
    fileprivate func withoutTexts() -> GPXWords {
        var copy = GPXWords()
        copy.element = element
        copy.symbol = symbol
        copy.type = type
        copy.color = color
        copy.icon = icon
        return copy
    }
}
