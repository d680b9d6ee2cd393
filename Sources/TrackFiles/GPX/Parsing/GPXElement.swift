import FoundationEssentials
import RegionModel

/// What an element of a GPX file means at its place.
enum GPXElement {
    case gpx
    case metadata
    case waypoint
    case route
    case track
    case segment
    case routePoint
    case trackPoint
    /// A text of the item or point around it.
    case text(WritableKeyPath<GPXContent.Words, String>)
    case elevation
    case time
    case link
    case linkText
    case linkType
    /// The address of a link in GPX 1.0.
    case address
    /// The text of a link in GPX 1.0.
    case addressText
    case sensor(TrackSensor)
    /// A point between two points of a route, in the extension of Garmin.
    case shapePoint
    /// `extensions`, which holds elements of other namespaces.
    case extensions
    /// An element of another namespace, by its name.
    case foreign(String)
    /// An element of GPX that is not kept, by its name.
    case unknown(String)
    /// Anything else: what can be computed, and the content of elements that are not kept.
    case ignored

    /// The point, route, track or file of which an element tells.
    enum Owner {
        case waypoint
        case routePoint
        case trackPoint
        case line
        case file
    }

    /// The owner of the elements inside; nil if that of the surrounding element stays the owner.
    var owner: Owner? {
        switch self {
        case .waypoint: .waypoint
        case .routePoint: .routePoint
        case .trackPoint: .trackPoint
        case .route, .track, .segment: .line
        case .gpx, .metadata: .file
        default: nil
        }
    }

    /// Finds the meaning of an element.
    ///
    /// An element counts only at a place where a GPX schema allows it, and in the namespace of the root. So the `name` of an
    /// extension is not the name of a point.
    ///
    /// - Parameters:
    ///   - qualifiedName: The name with its prefix.
    ///   - own: The name without its prefix; nil if the element is in another namespace.
    ///   - parent: The surrounding element.
    ///   - owner: The owner of the element.
    init(_ qualifiedName: String, own: Substring?, in parent: GPXElement, of owner: Owner) {
        switch parent {
        case .extensions, .foreign, .shapePoint:
            self = Self.foreign(qualifiedName, of: owner)
        case .gpx, .metadata, .waypoint, .route, .track, .segment, .routePoint, .trackPoint, .link:
            // GPX 1.0 has elements of other namespaces without `extensions` around them.
            self = own.map { Self.own($0, in: parent) } ?? Self.foreign(qualifiedName, of: owner)
        default:
            self = .ignored
        }
    }

    private static func own(_ name: Substring, in parent: GPXElement) -> GPXElement {
        switch (parent, name) {
        case (.segment, "trkpt"): .trackPoint
        case (.route, "rtept"): .routePoint
        case (.gpx, "wpt"): .waypoint
        case (.gpx, "rte"): .route
        case (.gpx, "trk"): .track
        case (.track, "trkseg"): .segment
        case (.gpx, "metadata"): .metadata
        case (.link, "text"): .linkText
        case (.link, "type"): .linkType
        case (.link, _), (_, "bounds"): .ignored
        case (_, "extensions"): .extensions
        case (.gpx, _), (.metadata, _): file(name)
        case (.waypoint, _), (.routePoint, _), (.trackPoint, _): point(name, in: parent)
        case (.route, _), (.track, _): words(name)
        default: .unknown(String(name))
        }
    }

    private static func file(_ name: Substring) -> GPXElement {
        switch name {
        case "name": .text(\.name)
        case "time": .time
        default: .unknown(String(name))
        }
    }

    private static func point(_ name: Substring, in parent: GPXElement) -> GPXElement {
        switch (parent, name) {
        case (_, "ele"): .elevation
        case (_, "time"): .time
        case (.trackPoint, "speed"): .sensor(.speed)
        case (.trackPoint, "hdop"): .sensor(.horizontalDilution)
        default: words(name)
        }
    }

    private static func words(_ name: Substring) -> GPXElement {
        switch name {
        case "name": .text(\.name)
        case "cmt": .text(\.comment)
        case "desc": .text(\.description)
        case "sym": .text(\.symbol)
        case "type": .text(\.type)
        case "link": .link
        case "url": .address
        case "urlname": .addressText
        default: .unknown(String(name))
        }
    }

    /// The elements of other namespaces that are kept: those of Garmin, Cluetrust, OsmAnd, OpenTracks and the GPX style.
    private static func foreign(_ qualifiedName: String, of owner: Owner) -> GPXElement {
        let colon = qualifiedName.utf8.firstIndex(of: 0x3A).map { qualifiedName.utf8.index(after: $0) }
        let name = qualifiedName[(colon ?? qualifiedName.startIndex)...].lowercased()
        switch (owner, name) {
        case (.trackPoint, "hr"), (.trackPoint, "heartrate"): return .sensor(.heartRate)
        case (.trackPoint, "cad"), (.trackPoint, "cadence"), (.trackPoint, "runcadence"): return .sensor(.cadence)
        case (.trackPoint, "atemp"), (.trackPoint, "temp"), (.trackPoint, "temperature"): return .sensor(.temperature)
        case (.trackPoint, "speed"): return .sensor(.speed)
        case (.trackPoint, "hdop"): return .sensor(.horizontalDilution)
        case (.waypoint, "color"), (.line, "color"), (.line, "displaycolor"): return .text(\.color)
        case (.routePoint, "rpt"): return .shapePoint
        case (.waypoint, "icon"): return .text(\.icon)
        default: return .foreign(qualifiedName)
        }
    }
}

/// The parts of a GPX file as the file has them, before their conversion into the model.
package enum GPXContent {
    /// The texts of a point, route or track.
    package struct Words: Hashable {
        var name = ""
        package var comment = ""
        package var description = ""
        var symbol = ""
        var type = ""
        var color = ""
        var icon = ""
        var links: [GPXLink] = []

        /// Creates texts, all empty.
        package init() {}

        /// Whether there is a text that a route point can keep.
        var hasTexts: Bool {
            [name, comment, description, symbol, type].contains { $0.utf8.contains { $0 > 0x20 } }
        }
    }

    /// The texts of a point of a route or track.
    struct PointWords {
        var index: Int
        var words: Words
    }

    /// A `wpt`.
    struct Place {
        var point: TrackPoint
        var words: Words
        var identity: GPXIdentity?
    }

    /// The element of a line.
    enum LineElement {
        case route
        case track
    }

    /// A `rte` or `trk`.
    struct Line {
        var element = LineElement.route
        var words = Words()
        var track = Track()
        var pointWords: [PointWords] = []
        var identity: GPXIdentity?
        /// Whether a point has a time.
        var hasTimes = false

        /// Whether the line is a recorded hike: it is a track with at least one time.
        ///
        /// A track of an exported file is what it was in the store. All other tracks are planned routes.
        var isHike: Bool { element == .track && (identity.map { $0.kind == .hike } ?? hasTimes) }

        /// Returns a part of the line.
        func part(_ range: Range<Int>) -> Line {
            Line(
                element: element,
                words: words,
                track: track.part(range),
                pointWords: pointWords.filter { range.contains($0.index) }.map {
                    PointWords(index: $0.index - range.lowerBound, words: $0.words)
                },
                hasTimes: hasTimes
            )
        }
    }
}
