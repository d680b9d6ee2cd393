import FoundationEssentials
import RegionModel

/// What our own extension element says of an item in a GPX file: its id, and values that GPX has no place for.
///
/// An item that is exported and imported again is recognised by its id.
struct GPXIdentity: Hashable {
    /// The kind of an item.
    enum Kind: String {
        case waypoint, route, hike
    }

    /// The namespace of the element.
    static let namespace = "urn:hikeshare:gpx:1"

    /// The prefix that ``GPXWriter`` gives the namespace.
    static let prefix = "hikeshare"

    // What a file may say beside the id. All else is not kept.
    private static let keys: Set<String> = [
        "category", "created", "modified", "mode", "start", "end", "walking", "resting", "averageHeartRate",
        "maximumHeartRate", "calories",
    ]
    private static let maximumLength = 100

    var kind: Kind
    var id: UUID
    private var attributes: [String: String]

    init(_ kind: Kind, _ id: UUID) {
        self.kind = kind
        self.id = id
        attributes = [:]
    }

    /// Reads an element, with the prefixes that the root gives the namespace; nil if it is none of ours.
    init?(_ name: String, _ attributes: [String: String], prefixes: Set<String>) {
        let prefix = name.xmlPrefix
        guard prefixes.contains(prefix) || attributes[GPXNamespaces.declaration(prefix)] == Self.namespace,
            let kind = Kind(rawValue: String(name.dropFirst(prefix.count))),
            let id = attributes["id"].flatMap({ UUID(uuidString: $0) })
        else { return nil }
        self.kind = kind
        self.id = id
        self.attributes = attributes.filter { Self.keys.contains($0.key) && $0.value.utf8.count <= Self.maximumLength }
    }

    /// Returns the prefixes that the attributes of an element give the namespace, each with its colon.
    static func prefixes(in attributes: [String: String]) -> Set<String> {
        let keys = attributes.filter { $0.value == namespace && $0.key.hasPrefix("xmlns:") }.keys
        return Set(keys.map { String($0.dropFirst(6)) + ":" })
    }

    // MARK: Values

    func text(_ key: String) -> String? { attributes[key] }

    func number(_ key: String) -> Double? { attributes[key].flatMap(DecimalNumber.value) }

    func time(_ key: String) -> Date? { attributes[key].flatMap { Timestamp.date(parsing: $0.utf8) } }

    mutating func set(_ key: String, _ text: String?) { attributes[key] = text }

    mutating func set(_ key: String, _ number: Double?) {
        attributes[key] = number.flatMap { DecimalNumber.text($0, decimals: 3) }
    }

    mutating func set(_ key: String, _ time: Date?) {
        attributes[key] = time.flatMap { Timestamp.text($0, milliseconds: true) }
    }

    /// The element as markup.
    var markup: String {
        var text = "<\(Self.prefix):\(kind.rawValue) id=\"\(id.uuidString)\""
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
            text += " \(key)=\"\(XMLText.escaped(value))\""
        }
        return text + "/>"
    }
}
