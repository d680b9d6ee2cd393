package import RegionSharing
import RegionStore
import TrackFiles

extension PhoneFile {
    /// Its name, which a stranger has chosen.
    package var quotedName: DisplayText { DisplayText(quoting: name) }

    package var title: DisplayText { "\(quotedName), \(Wording.size(size))" }

    /// The phone, as the beginning of a sentence.
    package var sender: DisplayText { phone?.title ?? "A phone (\(client))" }

    /// The phone, within a sentence.
    package var origin: DisplayText { phone?.title ?? "\(client)" }
}

extension PhoneUpload {
    /// The progress in words.
    package var text: DisplayText {
        "\(file.origin) sends \(file.quotedName), \(Wording.size(file.size)): \(Wording.percent(fraction))"
    }
}

extension PhoneFileQuestion {
    /// The number of names that a question shows.
    private static let shownNames = 5

    /// The text above the question.
    package var introduction: DisplayText {
        switch matter {
        case .comes: return "\(file.sender) wants to send \(file.title)."
        case .examination(let cost):
            let isLonger: DisplayText = cost.isLong ? "" : "It takes longer to examine than files of its size do. "
            return "\(file.sender) has sent \(file.title). \(isLonger)\(cost.words)"
        case .tracks(let document, let expected): return introduction(of: document, expected)
        case .map(let name, let area): return Self.introduction(of: file, name, area)
        case .foreignMap(let format): return "\(file.sender) has sent a \(format.title), \(file.title)."
        case .routing: return "\(file.sender) has sent a routing database, \(file.title)."
        case .photo(let waypoint, let region):
            let place: DisplayText = "\(DisplayText(quoting: waypoint.label)) in \(DisplayText(quoting: region.name))"
            return "\(file.sender) has sent a photo of \(place), \(file.title)."
        }
    }

    /// The question: it says so if items would change, or if something is replaced.
    package var question: DisplayText {
        switch matter {
        case .comes: return "Take it? What is in it is shown before it is added."
        case .examination: return "Examine it? You are asked again before it is added."
        case .tracks(_, let expected):
            let parts = [expected] + expected.elsewhere
            let changed = parts.reduce(0) { $0 + $1.changes }
            let owner = parts.count > 1 ? "they have" : "it has"
            let change = changed > 0 ? ", and change \(Wording.count(changed, "item")) that \(owner)" : ""
            return "Add this to \(Wording.names(of: parts.map(\.region)))\(change)?"
        case .map, .foreignMap: return "Add it to your maps?"
        case .routing(let region):
            let name = DisplayText(quoting: region.name)
            return region.hasRoutingData ? "\(name) has a routing database. Replace it?" : "Add it to \(name)?"
        case .photo(let waypoint, _):
            let label = DisplayText(quoting: waypoint.label)
            return waypoint.hasPhoto ? "\(label) has a photo. Replace it?" : "Add it as the photo of \(label)?"
        }
    }

    /// What a file of tracks contains.
    private func introduction(of document: TrackDocument, _ expected: GPXImport) -> DisplayText {
        let counts = [
            (document.savedRoutes.count, "hike"), (document.plannedRoutes.count, "planned route"),
            (document.waypoints.count, "waypoint"),
        ]
        let words = Wording.list(counts.filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) })
        let limit = Self.shownNames + 1
        let names =
            document.savedRoutes.prefix(limit).map(\.name) + document.plannedRoutes.prefix(limit).map(\.name)
            + document.waypoints.prefix(limit).map(\.label)
        let shown = names.prefix(Self.shownNames).map { DisplayText(quoting: $0) }.joined(separator: ", ")
        let more: DisplayText = names.count > Self.shownNames ? " …" : ""
        let damage: DisplayText = document.damage.map { "\nThe file \($0.words)" } ?? ""
        let region = expected.region
        // Without a region to which all of it goes, what lies on no map stays outside.
        let place: DisplayText =
            if !expected.outside.isEmpty {
                "\n\(Wording.leftOutside(expected.outside.count))"
            } else if expected.elsewhere.isEmpty, document.isOutside(region) {
                "\nMost of it is outside the area of \(DisplayText(quoting: region.name))."
            } else { "" }
        return "\(file.sender) has sent \(words): \(shown)\(more)\(damage)\(place)"
    }

    /// What map a phone has sent.
    fileprivate static func introduction(of file: PhoneFile, _ name: String, _ area: BoundingBox) -> DisplayText {
        """
        \(file.sender) has sent a map, \(file.title): \(DisplayText(quoting: name)), \
        \(Wording.extent(area)).
        """
    }
}

extension PhoneMapQuestion {
    /// The text above the question.
    package var introduction: DisplayText {
        // The text above quotes the name of the file. Unquoted, a name could pass for words of the program.
        var replacement = replacement
        replacement.file = "The file"
        return "\(PhoneFileQuestion.introduction(of: file, name, area))\n\(replacement.introduction)"
    }
}
