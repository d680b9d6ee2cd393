/// What an element of a KML file means at its place.
enum KMLElement {
    /// A text of a placemark.
    enum Text {
        case name, description, style
    }

    case placemark, point, multiGeometry, altitudeMode
    /// `kml`, `Document` or `Folder`.
    case container
    /// `LineString` or `LinearRing`.
    case line
    /// `gx:MultiTrack`: tracks that belong together.
    case multiTrack
    case track
    /// A text of the placemark or file around it.
    case text(Text)
    /// The positions of a point or line.
    case coordinates
    /// The position of a point of a track, and its time.
    case coordinate, when
    /// `TimeStamp`, and the time in it.
    case timeStamp, moment
    case style(id: String)
    case styleMap(id: String)
    case pair, pairKey, pairStyle, iconStyle, icon, address
    /// A link to a file that is shown as a part of this one, and its address.
    case networkLink, link, linkAddress
    /// `ExtendedData` and what is around the values in it.
    case extendedData
    /// A value with a name.
    case value(String)
    /// The values of a sensor at the points of a track; nil for values that are not kept.
    case sensor(TrackSensor?)
    case sensorValue(TrackSensor)
    /// An element that is left out with all its content, by its name.
    case leftOut(String)
    /// An element whose loss is not counted, such as a drawing style.
    case ignored

    /// Finds the meaning of an element.
    ///
    /// Its prefix does not count: programs bind that of Google's extension to several namespaces, or forget to bind it.
    init(_ name: String, _ attributes: [String: String], in parent: KMLElement) {
        func attribute(_ key: String) -> String { String((attributes[key] ?? "").prefix(200)) }
        switch (parent, name) {
        case (.container, "Document"), (.container, "Folder"): self = .container
        case (.container, "Placemark"): self = .placemark
        case (.container, "name"), (.placemark, "name"): self = .text(.name)
        case (.container, "description"), (.placemark, "description"): self = .text(.description)
        case (.placemark, "styleUrl"): self = .text(.style)
        case (.container, "Style"), (.placemark, "Style"), (.pair, "Style"): self = .style(id: attribute("id"))
        case (.container, "StyleMap"), (.placemark, "StyleMap"): self = .styleMap(id: attribute("id"))
        case (.styleMap, "Pair"): self = .pair
        case (.pair, "key"): self = .pairKey
        case (.pair, "styleUrl"): self = .pairStyle
        case (.style, "IconStyle"): self = .iconStyle
        case (.iconStyle, "Icon"): self = .icon
        case (.icon, "href"): self = .address
        case (.container, Self.networkLinkName): self = .networkLink
        // KML 2.0 calls it so.
        case (.networkLink, "Link"), (.networkLink, "Url"): self = .link
        case (.link, "href"): self = .linkAddress
        case (.container, "Snippet"), (.container, "snippet"), (.placemark, "Snippet"), (.placemark, "snippet"):
            self = .value(name)
        case (.container, _) where Self.hidden.contains(name), (.placemark, _) where Self.hidden.contains(name):
            self = .ignored
        case (.placemark, "TimeStamp"): self = .timeStamp
        case (.timeStamp, "when"): self = .moment
        case (.placemark, "ExtendedData"), (.extendedData, "SchemaData"), (.track, "ExtendedData"):
            self = .extendedData
        case (.extendedData, "Data"), (.extendedData, "SimpleData"): self = .value(attribute("name"))
        case (.extendedData, "SimpleArrayData"): self = .sensor(Self.sensor(attribute("name")))
        case (.sensor(let sensor?), "value"): self = .sensorValue(sensor)
        case (.placemark, _), (.multiGeometry, _), (.multiTrack, _): self = Self.geometry(name)
        case (.point, "coordinates"), (.line, "coordinates"): self = .coordinates
        case (.point, "altitudeMode"), (.line, "altitudeMode"), (.track, "altitudeMode"): self = .altitudeMode
        case (.track, "coord"): self = .coordinate
        case (.track, "when"): self = .when
        case (.container, _), (.extendedData, _): self = .leftOut(name)
        default: self = .ignored
        }
    }

    private static func geometry(_ name: String) -> KMLElement {
        switch name {
        case "Point": .point
        case "LineString", "LinearRing": .line
        case "MultiGeometry": .multiGeometry
        case "MultiTrack": .multiTrack
        case "Track": .track
        case "altitudeMode", "interpolate": .ignored
        default: .leftOut(name)
        }
    }

    /// The element with a link to another file.
    static let networkLinkName = "NetworkLink"

    // What programs show and how, and what can be computed.
    private static let hidden: Set = [
        "visibility", "open", "LookAt", "Camera", "Region", "Schema", "balloonVisibility", "author",
    ]

    private static func sensor(_ name: String) -> TrackSensor? {
        switch name.lowercased() {
        case "heartrate", "heart_rate", "hr", "heart rate": .heartRate
        case "cadence": .cadence
        case "temperature": .temperature
        case "speed": .speed
        default: nil
        }
    }

    /// Whether the text in the element is wanted as a whole.
    var hasText: Bool {
        switch self {
        case .text, .altitudeMode, .coordinate, .when, .moment, .pairKey, .pairStyle, .address, .linkAddress,
            .sensorValue:
            true
        default: false
        }
    }
}
