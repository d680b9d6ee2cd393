package import PeerCore
import RegionSharing
package import RegionStore

/// The words for one kind of resource, in reports and on the command line.
package struct KindWords: Sendable {
    /// The kind.
    package let kind: ResourceKind

    /// The word to type after `--only`.
    package let argument: String

    /// The kind in plain words: `recorded hikes`.
    package let name: String

    /// Returns a number of items in words: `46 waypoints`.
    package let counted: @Sendable (Int) -> String

    /// Returns a number of items in short words, for lists: `1 route`; nil for the same as ``counted``.
    package var shortlyCounted: (@Sendable (Int) -> String)?

    /// Whether it is a file, which is replaced as a whole.
    package var isFile = false

    /// Whether `--route` selects from it.
    package var isRoute = false

    /// The option that names one of its items; nil if it has none.
    package var itemOption: String?

    /// Returns the number of items in a region.
    package func count(_ region: RegionSummary) -> Int { region.count(of: kind) ?? 0 }

    /// Whether a GPX file can hold it.
    package var isInGPX: Bool { itemOption != nil }

    /// Returns the kinds of a typed answer, by the words to type or by the words of names, as in `map, planned routes and photos`.
    ///
    /// - Returns: The kinds; nil if there is another word, or none.
    package static func kinds(of answer: String) -> Set<ResourceKind>? {
        let typed = answer.lowercased().split { $0.isWhitespace || $0 == "," }.filter { $0 != "and" }
        let kinds = typed.map { word in
            all.first { ([$0.argument] + $0.name.split(separator: " ").map(String.init)).contains(String(word)) }?.kind
        }
        guard !kinds.isEmpty, !kinds.contains(where: { $0 == nil }) else { return nil }
        return Set(kinds.compactMap { $0 })
    }

    /// One entry for each kind, in the order in which they are shown.
    ///
    /// A new kind is registered here.
    package static let all: [KindWords] = [
        KindWords(
            kind: .mbtiles,
            argument: "map",
            name: "map",
            counted: { _ in "map" },
            isFile: true
        ),
        KindWords(
            kind: .sealed,
            argument: "sealed",
            name: "sealed map",
            counted: { _ in "sealed map" },
            isFile: true
        ),
        KindWords(
            kind: .routing,
            argument: "routing",
            name: "routing",
            counted: { _ in "routing" },
            isFile: true
        ),
        KindWords(
            kind: .savedroutes,
            argument: "hikes",
            name: "recorded hikes",
            counted: { Wording.count($0, "recorded hike") },
            shortlyCounted: { Wording.count($0, "hike") },
            isRoute: true,
            itemOption: "--hike"
        ),
        KindWords(
            kind: .plannedroutes,
            argument: "planned",
            name: "planned routes",
            counted: { Wording.count($0, "planned route") },
            shortlyCounted: { Wording.count($0, "route") },
            isRoute: true,
            itemOption: "--planned"
        ),
        KindWords(
            kind: .waypoints,
            argument: "waypoints",
            name: "waypoints",
            counted: { Wording.count($0, "waypoint") },
            itemOption: "--waypoint"
        ),
        KindWords(
            kind: .photos,
            argument: "photos",
            name: "photos",
            counted: { Wording.count($0, "photo") }
        ),
    ]

    /// Returns the words of a kind; nil if the program does not know it.
    package static func of(_ kind: ResourceKind) -> KindWords? {
        all.first { $0.kind == kind }
    }
}

extension ResourceKind {
    /// The kind in plain words.
    package var words: String {
        KindWords.of(self)?.name ?? rawValue
    }

    /// Returns a number of items of the kind in words: `map`, `46 waypoints`.
    package func words(count: Int) -> String {
        KindWords.of(self)?.counted(count) ?? "\(rawValue) (\(count))"
    }

    /// The kinds that a region may have, in the order in which they are shown.
    package static let shown = KindWords.all.map(\.kind)

    /// The kinds that are files, which are replaced as a whole.
    package static let files = KindWords.all.filter(\.isFile).map(\.kind)

    /// The kinds from which `--route` selects.
    package static let routes = KindWords.all.filter(\.isRoute).map(\.kind)
}

extension PersonalContent {
    /// What the page for phones has only after a yes, such as `recorded hikes and notes`; nil for nothing.
    package var pageWords: DisplayText? { pageText.map { DisplayText(escaping: $0) } }

    /// The text before the question whether personal content is put on the page; nil if there is none.
    package var pageIntroduction: DisplayText? {
        guard let text = pageText else { return nil }
        let start = DisplayText(escaping: text.prefix(1).uppercased() + text.dropFirst())
        return "The page for phones is not encrypted. \(start) are left out unless you agree."
    }

    private var pageText: String? {
        let kinds = [
            (hikes, "recorded hikes"), (comments, "comments"), (notes, "notes"), (links, "links"),
            (pointTexts, "names of points"), (photos, "photos"),
        ].filter { $0.0 > 0 }.map(\.1)
        return kinds.isEmpty ? nil : Wording.list(kinds)
    }

    /// The personal content that is sent, in one line; nil if there is none.
    ///
    /// Health data that is not sent is mentioned, if there is any.
    package var words: DisplayText? {
        var parts: [DisplayText] = []
        if hikes > 0 { parts.append("\(Wording.count(hikes, "recorded hike")) with times and places") }
        if comments > 0 { parts.append("\(Wording.count(comments, "comment"))") }
        if notes > 0 { parts.append("\(Wording.count(notes, "note"))") }
        if links > 0 { parts.append("links of \(Wording.count(links, "item"))") }
        if pointTexts > 0 { parts.append("names of points of \(Wording.count(pointTexts, "planned route"))") }
        if let photoWords { parts.append(photoWords) }
        if healthRecords > 0 { parts.append("health data of \(Wording.count(healthRecords, "hike"))") }
        guard !parts.isEmpty else { return nil }
        let withheld = Wording.count(withheldHealthRecords, "hike")
        let stays: DisplayText = withheldHealthRecords == 0 ? "" : "; health data of \(withheld) is not sent"
        return "Personal: \(parts.joined(separator: ", "))\(stays)"
    }

    /// The photos and what they say, such as `2 photos, with the camera, place and time`; nil if there are none.
    private var photoWords: DisplayText? {
        guard photos > 0 else { return nil }
        let all: DisplayText = "\(Wording.count(photos, "photo"))"
        let details = [
            (detailedPhotos, "with", photoDetails), (unexaminedPhotos, "perhaps with", [.camera, .place, .time]),
        ]
        return details.filter { $0.0 > 0 }.reduce(all) { words, part in
            let which = part.0 == photos ? "" : " \(part.0) of them"
            return "\(words),\(which) \(part.1) the \(Wording.list(part.2.words))"
        }
    }
}

extension PhotoDetails {
    /// What photos say.
    fileprivate var words: [String] {
        [(PhotoDetails.camera, "camera"), (.place, "place"), (.time, "time")].filter { contains($0.0) }.map(\.1)
    }
}

extension PersonalContent {
    /// The personal content in JSON.
    package var json: JSONObject {
        [
            "hikes": hikes,
            "comments": comments,
            "notes": notes,
            "links": links,
            "pointTexts": pointTexts,
            "healthRecords": healthRecords,
            "withheldHealthRecords": withheldHealthRecords,
            "photos": photos,
            "detailedPhotos": detailedPhotos,
            "unexaminedPhotos": unexaminedPhotos,
            "photoDetails": photoDetails.isEmpty ? nil : photoDetails.words,
        ]
    }
}
