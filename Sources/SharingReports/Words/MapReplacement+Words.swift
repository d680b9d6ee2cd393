package import RegionSharing
import RegionStore
package import Sentences

extension MapReplacement {
    /// The text above the question.
    package var introduction: DisplayText {
        let name = DisplayText(quoting: local.name)
        guard !isWished else { return "\(file), for \(name): \(words)" }
        let version: DisplayText = ages.age == .newer ? "a newer version" : "another version"
        let what: DisplayText =
            map.isPart ? "is a part of a map, in the area of \(name)" : "may be \(version) of \(name)"
        let isNamesake = map.name?.lowercased() == local.name.lowercased()
        let called: DisplayText = isNamesake ? "\(file)" : "\(file), \(DisplayText(quoting: map.name ?? "")),"
        return "\(called) \(what). \(words)"
    }

    package var question: DisplayText {
        let action: DisplayText = map.isPart ? "Add its tiles to that map?" : "Replace its map?"
        let items: DisplayText = local.hasItems ? " Hikes, routes and waypoints stay." : ""
        let choices: DisplayText = isWished ? "[y/N] " : "[y/N, or a name to add it as another region] "
        return "\(action)\(items) \(choices)"
    }

    /// Which of the two maps is newer, in words.
    package var ageWords: Sentence {
        switch ages.age {
        case .newer: "It is newer (\(ages.words))."
        case .same: "It is as old as yours (\(ages.words))."
        case .older: "It is older than your map (\(ages.words))."
        case .unknown: "Which map is newer is not known (\(ages.words))."
        }
    }

    /// What the map would change, in words.
    private var words: DisplayText {
        let zooms: DisplayText =
            lostZooms.isEmpty ? "" : " It has no tiles at \(Wording.zoomWords(lostZooms)), which your map has."
        let then: DisplayText = isSigned ? "the new one will be signed by you" : "the new one will not be signed"
        let maker: DisplayText = lostMaker.map { " Your map is \($0.words); \(then)." } ?? ""
        return "\(ageWords)\(zooms)\(maker)"
    }
}
