import FoundationEssentials
import PeerStorage
import RegionModel

/// XML text that is written piece by piece.
///
/// The memory is limited to one piece and what is added between two calls of ``writePieces()``.
package struct XMLText {
    private static let pieceLength = 64 * 1024

    private let output: any ByteOutput
    private var pending: [UInt8] = []
    private var offset: UInt64 = 0

    init(to output: any ByteOutput) { self.output = output }

    /// Writes what was added, unless it is too short for a piece.
    mutating func writePieces() throws(SystemError) {
        if pending.count >= Self.pieceLength { try writeAll() }
    }

    /// Writes everything that was added.
    mutating func writeAll() throws(SystemError) {
        guard !pending.isEmpty else { return }
        try output.write(pending, at: offset)
        offset += UInt64(pending.count)
        pending.removeAll(keepingCapacity: true)
    }

    /// Adds markup of ours without an end of line.
    mutating func add(_ markup: String) { pending.append(contentsOf: markup.utf8) }

    /// Adds markup of ours.
    mutating func line(_ markup: String) {
        add(markup)
        pending.append(0x0A)
    }

    /// Adds an element that holds text.
    mutating func element(_ name: String, _ content: String) {
        line("<\(name)>\(Self.escaped(content))</\(name)>")
    }

    /// Adds an element that holds text, if there is a text.
    mutating func element(_ name: String, ifPresent content: String?) {
        if let content, !content.isEmpty { element(name, content) }
    }

    /// Returns text as the content of an element or an attribute.
    package static func escaped(_ content: String) -> String {
        var text = ""
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&apos;"
            // A bare carriage return would be read as a line feed.
            case "\r": text += "&#13;"
            case "\t", "\n": text.unicodeScalars.append(scalar)
            // XML 1.0 has no way to write these.
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Begins a point's element: the position, then the elevation and the time if they are known.
    mutating func begin(_ name: String, _ point: TrackPoint, end: String) {
        // A ten-millionth of a degree is a centimetre. The schema's longitudes end just before 180, but no program minds 180, and
        // −180 would be at the other edge of a map.
        let latitude = DecimalNumber.text(point.coordinate.latitude, decimals: 7) ?? "0"
        let longitude = DecimalNumber.text(point.coordinate.longitude, decimals: 7) ?? "0"
        add("<\(name) lat=\"\(latitude)\" lon=\"\(longitude)\">\(end)")
        if let elevation = point.elevation.flatMap({ DecimalNumber.text($0, decimals: 3) }) {
            add("<ele>\(elevation)</ele>\(end)")
        }
        if let time = point.time.flatMap({ Timestamp.text($0, milliseconds: true) }) {
            add("<time>\(time)</time>\(end)")
        }
    }
}
