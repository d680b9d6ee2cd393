/// The kinds of files of other map programs that are carried without being opened for drawing.
package enum ForeignFormat: String, CaseIterable, Encodable, Sendable {
    /// A map of OsmAnd, `.obf`.
    case osmand
    /// A map of Mapsforge, `.map`.
    case mapsforge
    /// A map of Garmin, `.img`.
    case garmin
    /// A map of Organic Maps, `.mwm`.
    case organicmaps
    /// Any other file that a person has named.
    case other

    /// The extension of the files, in lower case; nil if they may have any.
    package var fileExtension: String? {
        switch self {
        case .osmand: "obf"
        case .mapsforge: "map"
        case .garmin: "img"
        case .organicmaps: "mwm"
        case .other: nil
        }
    }

    /// Returns the format that the name of a file suggests; nil for any other name.
    package init?(fileName: String) {
        let suffix = fileName.lowercased().split(separator: "/").last.map(String.init) ?? ""
        guard let dot = suffix.lastIndex(of: "."), dot != suffix.startIndex else { return nil }
        let word = String(suffix[suffix.index(after: dot)...])
        guard let known = Self.allCases.first(where: { $0.fileExtension == word }) else { return nil }
        self = known
    }

    /// What the file is, without an article: `map for OsmAnd`.
    package var title: String {
        switch self {
        case .osmand: "map for OsmAnd"
        case .mapsforge: "Mapsforge map"
        case .garmin: "map for Garmin devices"
        case .organicmaps: "map for Organic Maps"
        case .other: "file of another program"
        }
    }

    /// Which app opens the file, as a sentence without a full stop.
    package var opensIn: String {
        switch self {
        case .osmand: "Opens in OsmAnd"
        case .mapsforge: "Opens in OruxMaps, Locus Map, Cruiser and c:geo"
        case .garmin: "Opens on Garmin devices, from their folder Garmin"
        case .organicmaps: "Opens in Organic Maps, from its folder of maps"
        case .other: "Opens in the program for which it was made"
        }
    }
}
