/// The file of another map program that is the map of a region.
///
/// Such a file is *foreign*: it is carried, resumed and verified byte for byte, and never opened for drawing.
package struct ForeignMap: Hashable, Sendable {
    /// What the file is.
    package var format: ForeignFormat

    /// The name under which it is saved, which some programs need: ``isFileName(_:)``.
    package var fileName: String

    /// Whether the area of the region is that of the file; if not, nobody knows it, and the area is the whole earth.
    package var hasArea: Bool

    /// Creates a description; nil if the name is not possible.
    package init?(format: ForeignFormat, fileName: String, hasArea: Bool) {
        guard Self.isFileName(fileName) else { return nil }
        self.format = format
        self.fileName = fileName
        self.hasArea = hasArea
    }
}

extension ForeignMap {
    /// The longest name of a file, in bytes.
    package static let maximumNameLength = 200

    /// Returns whether a name works in any folder on any file system and hides nothing.
    ///
    /// It has no separators, no characters that are invisible or special to a file system, no space, dot or hyphen at its
    /// start, no space or dot at its end, and is not a device of another system.
    package static func isFileName(_ name: String) -> Bool {
        guard (1...maximumNameLength).contains(name.utf8.count), let first = name.unicodeScalars.first,
            let last = name.unicodeScalars.last, !" .-".unicodeScalars.contains(first),
            !" .".unicodeScalars.contains(last), name.unicodeScalars.allSatisfy(isKept)
        else { return false }
        return !devices.contains(name.prefix { $0 != "." }.uppercased())
    }

    /// Returns a name that is possible and as near as can be to the one that a file has.
    package static func fileName(for path: String, _ format: ForeignFormat) -> String {
        let given = path.split(separator: "/").last.map(String.init) ?? ""
        var name = ""
        for scalar in given.unicodeScalars {
            let kept = isKept(scalar) ? Character(scalar) : "-"
            guard name.utf8.count + String(kept).utf8.count <= maximumNameLength - 10 else { break }
            name.append(kept)
        }
        let start = name.drop { " .-".contains($0) }
        name = String(start.reversed().drop { " .".contains($0) }.reversed())
        let suffix = format.fileExtension.map { "." + $0 } ?? ""
        if !name.lowercased().hasSuffix(suffix) { name += suffix }
        if isFileName(name) { return name }
        return "map" + (isFileName("map-" + name) ? "-" + name : suffix)
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value) else { return false }
        let isSeen =
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            case .spaceSeparator: scalar == " "
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        return isSeen && !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
    }

    // Windows reserves these names, with any extension.
    private static let devices: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
    )
}

extension ForeignMap: Codable {
    private enum CodingKeys: String, CodingKey {
        case format, fileName, hasArea
    }

    /// Decodes a description; a format of a newer version counts as another program's.
    ///
    /// - Throws: `DecodingError` if a value is missing, or the name is not possible.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = ForeignFormat(rawValue: try container.text(.format, atMost: 100)) ?? .other
        fileName = try container.decode(String.self, forKey: .fileName)
        guard Self.isFileName(fileName) else { throw container.wrong(.fileName, "is not the name of a file") }
        hasArea = try container.decode(Bool.self, forKey: .hasArea)
    }
}
