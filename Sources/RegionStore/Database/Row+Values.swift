import FoundationEssentials
import GRDB
import PeerProtocol
import RegionModel

/// An invalid value in the database, which the library does not write.
struct ImpossibleValue: Error {
    var column: String
}

// Ids are stored as their 36 characters, times as seconds since 1970, and lists as JSON.
extension Row {
    func id(_ column: String) throws -> UUID {
        guard let id = UUID(uuidString: self[column]) else { throw ImpossibleValue(column: column) }
        return id
    }

    func idIfPresent(_ column: String) throws -> UUID? {
        guard let text: String = self[column] else { return nil }
        guard let id = UUID(uuidString: text) else { throw ImpossibleValue(column: column) }
        return id
    }

    func date(_ column: String) -> Date { Date(timeIntervalSince1970: self[column]) }

    func dateIfPresent(_ column: String) -> Date? {
        let seconds: Double? = self[column]
        return seconds.map { Date(timeIntervalSince1970: $0) }
    }

    func coordinate(_ latitude: String, _ longitude: String) throws -> Coordinate {
        guard let coordinate = Coordinate(latitude: self[latitude], longitude: self[longitude]) else {
            throw ImpossibleValue(column: latitude)
        }
        return coordinate
    }

    func list<Element: Decodable>(_ column: String, of type: Element.Type) throws -> [Element] {
        var scanner = JSONScanner(Array((self[column] as String).utf8), .list)
        return try JSONPieces.readArray(of: type, &scanner, column, atMost: .max, of: ModelLimits.maximumPartLength)
    }
}

extension PersistenceContainer {
    mutating func set(_ column: String, _ id: UUID?) { self[column] = id?.uuidString }

    /// Times are stored in whole seconds, as they are sent, so that rows are equal on every machine.
    mutating func set(_ column: String, _ date: Date?) {
        self[column] = date?.timeIntervalSince1970.rounded(.down)
    }

    mutating func set(_ latitude: String, _ longitude: String, _ coordinate: Coordinate) {
        self[latitude] = coordinate.latitude
        self[longitude] = coordinate.longitude
    }

    mutating func set<Element: Encodable>(_ column: String, list: [Element]?) throws {
        guard let list else {
            self[column] = nil as String?
            return
        }
        var text = "["
        try JSONPieces.writeArray(list) { text += String(decoding: $0, as: UTF8.self) }
        text += "]"
        self[column] = text
    }
}
