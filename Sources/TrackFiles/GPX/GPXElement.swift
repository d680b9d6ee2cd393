import FoundationEssentials
import RegionModel

/// What an element of a GPX file means at its place.
enum GPXElement {
    case gpx, metadata, waypoint, route, track, segment, routePoint, trackPoint
    /// A text of the item or point around it.
    case text(WritableKeyPath<TrackContent.Words, String>)
    case elevation, time, link, linkText, linkType
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

    /// The point, route, track or file that an element describes.
    enum Owner {
        case waypoint, routePoint, trackPoint, line, file
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

    /// Finds the meaning of an element; `own` is nil if it is in another namespace.
    ///
    /// An element counts only at a place where a GPX schema allows it, and in the namespace of the root. So the `name` of an
    /// extension is not the name of a point.
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
        case (.gpx, "name"), (.metadata, "name"): .text(\.name)
        case (.gpx, "time"), (.metadata, "time"): .time
        case (.waypoint, "ele"), (.routePoint, "ele"), (.trackPoint, "ele"): .elevation
        case (.waypoint, "time"), (.routePoint, "time"), (.trackPoint, "time"): .time
        case (.trackPoint, "speed"): .sensor(.speed)
        case (.trackPoint, "hdop"): .sensor(.horizontalDilution)
        case (.waypoint, _), (.routePoint, _), (.trackPoint, _), (.route, _), (.track, _): words(name)
        default: .unknown(String(name))
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
        switch (owner, qualifiedName.xmlLocalName.lowercased()) {
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
