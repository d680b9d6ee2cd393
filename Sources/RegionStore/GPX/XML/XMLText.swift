import FoundationEssentials

/// XML text while it is written.
struct XMLText {
    private(set) var text = ""

    var data: Data { Data(text.utf8) }

    /// Adds markup of ours.
    mutating func line(_ markup: String) {
        text += markup
        text += "\n"
    }

    /// Adds an element that holds text.
    mutating func element(_ name: String, _ content: String) {
        text += "<\(name)>" + Self.escaped(content) + "</\(name)>\n"
    }

    /// Adds an element that holds text, if there is a text.
    mutating func element(_ name: String, ifPresent content: String?) {
        if let content, !content.isEmpty { element(name, content) }
    }

    /// Returns text as the content of an element or an attribute.
    static func escaped(_ content: String) -> String {
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
            case "\u{7F}"..."\u{9F}": continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Begins a point's element: the position, then the elevation and the time if they are known.
    ///
    /// - Parameters:
    ///   - name: The name of the element.
    ///   - point: The point.
    ///   - end: What is written after each tag.
    mutating func begin(_ name: String, _ point: TrackPoint, end: String) {
        // A ten-millionth of a degree is a centimetre.
        let latitude = GPXNumber.text(point.coordinate.latitude, decimals: 7) ?? "0"
        // The schema's longitudes end just before 180.
        let degrees = point.coordinate.longitude
        let longitude = GPXNumber.text(degrees > 179.99999995 ? -180 : degrees, decimals: 7) ?? "0"
        text += "<\(name) lat=\"\(latitude)\" lon=\"\(longitude)\">\(end)"
        if let elevation = point.elevation.flatMap({ GPXNumber.text($0, decimals: 3) }) {
            text += "<ele>\(elevation)</ele>\(end)"
        }
        if let time = point.time.flatMap({ Timestamp.text($0, milliseconds: true) }) {
            text += "<time>\(time)</time>\(end)"
        }
    }

    /// Adds markup without an end of line.
    mutating func add(_ markup: String) {
        text += markup
    }
}
