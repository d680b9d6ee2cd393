package import FoundationEssentials
import PeerProtocol

/// The part of a map that a receiver asks for: the context of its invitation.
///
/// The sender makes the part after its person has accepted the receiver, and offers it in the place of its map.
package struct CutRequest: Hashable, Sendable {
    /// The maximum length in JSON, in bytes: that of the context of an invitation.
    package static let maximumLength = 16 * 1024

    /// The maximum number of positions of all lines together.
    package static let maximumPointCount = 4096

    /// The maximum number of lines.
    package static let maximumLineCount = 64

    /// The valid distances, in metres.
    private static let possibleDistances = 0.0...1_000_000.0

    /// How many units of the JSON are a degree.
    private static let scale = 100_000.0

    package var names: [String]

    /// The lines along which the map is cut, as the receiver has them.
    package var lines: [[Coordinate]]

    /// The names of offered hikes and planned routes along which the map is cut, too.
    package var routes: [String]

    /// The distance from the lines, in metres; nil if the sender is to choose it.
    package var distance: Double?

    /// The area to which the map is cut; nil for everywhere.
    package var area: BoundingBox?

    /// The highest zoom level; nil for all.
    package var maximumZoom: Int?

    /// Creates a request; more names than `CutDescription.maximumNameCount` are left out, and long ones are cut.
    package init(
        names: [String] = [],
        lines: [[Coordinate]] = [],
        routes: [String] = [],
        distance: Double? = nil,
        area: BoundingBox? = nil,
        maximumZoom: Int? = nil
    ) {
        self.names = names.prefix(CutDescription.maximumNameCount).map(ItemEdit.cut)
        self.lines = lines
        self.routes = routes
        self.distance = distance
        self.area = area
        self.maximumZoom = maximumZoom
    }

    /// Reads the context of an invitation; throws if it is too long, or no request.
    package init(parsing context: Data) throws {
        guard context.count <= Self.maximumLength else { throw JSONFault.tooLong }
        try ControlJSON.checkMessage(context)
        self = try ControlJSON.decoder().decode(Envelope.self, from: context).part
    }

    /// The context of an invitation; nil if the request is too long for one, or has too many routes.
    package var context: Data? {
        guard lines.count <= Self.maximumLineCount, lines.reduce(0, { $0 + $1.count }) <= Self.maximumPointCount,
            routes.count <= CutDescription.maximumNameCount,
            let bytes = try? ControlJSON.encoder().encode(Envelope(part: self)), bytes.count <= Self.maximumLength
        else { return nil }
        return bytes
    }

    /// What is asked for, by name.
    private struct Envelope: Codable {
        var part: CutRequest
    }
}

extension CutRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case names = "along"
        case lines, routes
        case distance = "within"
        case area
        case maximumZoom = "maxZoom"
    }

    /// Decodes a request, in which `null` is not a missing value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        names = try Self.names(.names, in: container)
        routes = try Self.names(.routes, in: container)
        let lists =
            container.contains(.lines)
            ? try container.array(.lines, of: [Int].self, atMost: Self.maximumLineCount) : []
        guard lists.reduce(0, { $0 + $1.count }) <= 2 * Self.maximumPointCount else {
            throw container.wrong(.lines, "has too many positions")
        }
        lines = try lists.map { list in
            guard let line = Self.line(list) else { throw container.wrong(.lines, "is not on Earth") }
            return line
        }
        distance = try container.decodeUnlessMissing(Double.self, forKey: .distance)
        guard distance.map(Self.possibleDistances.contains) ?? true else {
            throw container.wrong(.distance, "is not a distance")
        }
        area = try container.decodeUnlessMissing(BoundingBox.self, forKey: .area)
        maximumZoom = try container.decodeUnlessMissing(Int.self, forKey: .maximumZoom)
        guard maximumZoom.map(Region.possibleZoomLevels.contains) ?? true else {
            throw container.wrong(.maximumZoom, "is not a zoom level")
        }
        guard !lines.isEmpty || !routes.isEmpty || area != nil || maximumZoom != nil else {
            throw container.wrong(.lines, "selects nothing")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !names.isEmpty { try container.encode(names, forKey: .names) }
        if !lines.isEmpty { try container.encode(lines.map(Self.numbers), forKey: .lines) }
        if !routes.isEmpty { try container.encode(routes, forKey: .routes) }
        try container.encodeIfPresent(distance, forKey: .distance)
        try container.encodeIfPresent(area, forKey: .area)
        try container.encodeIfPresent(maximumZoom, forKey: .maximumZoom)
    }

    private static func names(
        _ key: CodingKeys,
        in container: KeyedDecodingContainer<CodingKeys>
    ) throws -> [String] {
        guard container.contains(key) else { return [] }
        let names = try container.array(key, of: String.self, atMost: CutDescription.maximumNameCount)
        guard names.allSatisfy({ $0.utf8.count <= ModelLimits.maximumNameLength }) else {
            throw container.wrong(key, "has a name that is too long")
        }
        return names
    }

    /// Returns the positions of a line in turn, each as the difference from the one before.
    private static func numbers(_ line: [Coordinate]) -> [Int] {
        var (latitude, longitude) = (0, 0)
        return line.flatMap { place -> [Int] in
            // Degrees are at most 180, so these fit.
            let next = (Int((place.latitude * scale).rounded()), Int((place.longitude * scale).rounded()))
            defer { (latitude, longitude) = next }
            return [next.0 - latitude, next.1 - longitude]
        }
    }

    /// Returns the line with these numbers; nil if it is not one.
    private static func line(_ numbers: [Int]) -> [Coordinate]? {
        guard !numbers.isEmpty, numbers.count.isMultiple(of: 2) else { return nil }
        var (latitude, longitude) = (0, 0)
        var line: [Coordinate] = []
        for index in stride(from: 0, to: numbers.count, by: 2) {
            let north = latitude.addingReportingOverflow(numbers[index])
            let east = longitude.addingReportingOverflow(numbers[index + 1])
            guard !north.overflow, !east.overflow,
                let place = Coordinate(
                    latitude: Double(north.partialValue) / scale,
                    longitude: Double(east.partialValue) / scale
                )
            else { return nil }
            line.append(place)
            (latitude, longitude) = (north.partialValue, east.partialValue)
        }
        return line
    }
}
