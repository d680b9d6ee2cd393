package import FoundationEssentials
package import PeerStorage
package import RegionModel

/// What the file of another map program says of itself.
package struct ForeignHeader: Hashable, Sendable {
    /// The name of the map; nil if the file states none.
    package var name: String?
    /// Where the map is; nil if the file does not say so.
    package var area: BoundingBox?
    /// The date of the map; nil if the file states none, or an impossible one.
    package var date: Date?
    /// The licence or the source of the map in the file's own words; nil if the file states none.
    package var attribution: String?

    /// The longest attribution, in Unicode scalars.
    static let maximumAttributionLength = 2000

    package init() {}

    /// Reads the header of a file.
    ///
    /// - Returns: The header; nil if the file is not of this format.
    package static func read(_ file: OpenFile, as format: ForeignFormat) throws(SystemError) -> ForeignHeader? {
        try read(as: format, size: file.size()) { count, offset throws(SystemError) in
            try file.bytes(count, at: offset)
        }
    }

    /// Reads the header of bytes, for tests.
    package static func read(_ bytes: [UInt8], as format: ForeignFormat) -> ForeignHeader? {
        try? read(as: format, size: UInt64(bytes.count)) { count, offset throws(SystemError) in
            Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
        }
    }

    private static func read(
        as format: ForeignFormat,
        size: UInt64,
        _ source: @escaping HeaderReader.Source
    ) throws(SystemError) -> ForeignHeader? {
        guard size > 0 else { return nil }
        var reader = HeaderReader(size: size, source)
        do {
            var header =
                switch format {
                case .osmand: try OsmAndHeader.read(&reader)
                case .mapsforge: try MapsforgeHeader.read(&reader)
                case .garmin: try GarminHeader.read(&reader)
                case .organicmaps: try OrganicMapsHeader.read(&reader)
                case .other: ForeignHeader()
                }
            header.clean()
            return header
        } catch let error as SystemError {
            throw error
        } catch {
            return nil
        }
    }

    /// Removes what is no text for people, and an area without an extent.
    private mutating func clean() {
        name = name.flatMap { Self.line($0, atMost: 200) }
        attribution = attribution.flatMap { Self.line($0, atMost: Self.maximumAttributionLength) }
        if let box = area, box.height <= 0 || box.width <= 0 { area = nil }
    }

    /// Returns a text in one line, without characters that are not seen; nil if nothing is left.
    private static func line(_ text: String, atMost count: Int) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(2 * count) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                if let last = scalars.last, last != " " { scalars.append(" ") }
            case .format, .surrogate, .privateUse, .unassigned: break
            default: scalars.append(scalar)
            }
        }
        if scalars.last == " " { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars.prefix(count)))
    }

    /// Returns the area that contains two areas; the other one if one is nil.
    static func union(_ one: BoundingBox?, _ other: BoundingBox?) -> BoundingBox? {
        guard let one, let other else { return one ?? other }
        return BoundingBox(
            north: max(one.north, other.north),
            south: min(one.south, other.south),
            east: max(one.east, other.east),
            west: min(one.west, other.west)
        )
    }
}
