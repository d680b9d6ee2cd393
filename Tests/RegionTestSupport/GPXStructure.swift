package import Foundation
package import FoundationXML

/// A check of a GPX 1.1 file's structure, written from the schema and not from our writer: which elements may stand in
/// which, in what order and how often, and what their values look like.
package final class GPXStructure: NSObject, XMLParserDelegate {
    private static let line = ["name", "cmt", "desc", "src", "link*", "number", "type", "extensions"]
    private static let point =
        ["ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link*", "sym", "type", "fix", "sat"]
        + ["hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions"]
    private static let children: [String: [String]] = [
        "": ["gpx"],
        "gpx": ["metadata", "wpt*", "rte*", "trk*", "extensions"],
        "metadata": ["name", "desc", "author", "copyright", "link*", "time", "keywords", "bounds", "extensions"],
        "wpt": point, "rtept": point, "trkpt": point,
        "rte": line + ["rtept*"], "trk": line + ["trkseg*"], "trkseg": ["trkpt*", "extensions"],
        "link": ["text", "type"],
    ]

    private(set) var faults: [String] = []
    private var stack: [(name: String, position: Int)] = [("", -1)]
    private var text = ""

    /// Returns what is wrong with a file; empty if it is valid.
    package static func faults(in data: Data) -> [String] {
        let structure = GPXStructure()
        let parser = XMLParser(data: data)
        parser.shouldProcessNamespaces = true
        parser.delegate = structure
        if !parser.parse(), structure.faults.isEmpty {
            structure.faults.append("not well-formed at line \(parser.lineNumber)")
        }
        return structure.faults
    }

    package func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        let isForeign = namespaceURI != "http://www.topografix.com/GPX/1/1"
        let isExtension = stack.contains { $0.name == "extensions" }
        guard !isExtension else {
            if !isForeign { faults.append("\(name) is no extension") }
            return stack.append((name, -1))
        }
        if isForeign { faults.append("\(name) is in another namespace") }
        let parent = stack[stack.count - 1]
        let allowed = Self.children[parent.name] ?? []
        if let position = allowed.firstIndex(where: { $0 == name || $0 == name + "*" }) {
            let isRepeatable = allowed[position].hasSuffix("*")
            if position < parent.position || (position == parent.position && !isRepeatable) {
                faults.append("\(name) is out of order in \(parent.name)")
            }
            stack[stack.count - 1].position = position
        } else {
            faults.append("\(name) may not stand in \(parent.name)")
        }
        stack.append((name, -1))
        text = ""
        check(name, attributes)
    }

    private func check(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "gpx":
            if attributes["version"] != "1.1" || attributes["creator"]?.isEmpty != false {
                faults.append("gpx has no version or creator")
            }
        case "wpt", "rtept", "trkpt":
            if Set(attributes.keys) != ["lat", "lon"] { faults.append("\(name) has other attributes") }
            let latitude = decimal(attributes["lat"])
            let longitude = decimal(attributes["lon"])
            if latitude.map({ (-90...90).contains($0) }) != true { faults.append("wrong latitude") }
            // The schema ends just before 180, which is the other edge of a map than −180.
            if longitude.map({ (-180...180).contains($0) }) != true { faults.append("wrong longitude") }
        case "link":
            if Set(attributes.keys) != ["href"] { faults.append("link has other attributes") }
        default:
            if !attributes.isEmpty { faults.append("\(name) has attributes") }
        }
    }

    package func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        faults.append("not well-formed at line \(parser.lineNumber)")
    }

    package func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    package func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        stack.removeLast()
        guard !stack.contains(where: { $0.name == "extensions" }) else { return }
        switch name {
        case "ele", "hdop":
            if decimal(text) == nil { faults.append("\(text) is no xsd:decimal") }
        case "time":
            if text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) == nil {
                faults.append("\(text) is no time")
            }
        case _ where Self.children[name] != nil:
            if text.contains(where: { !$0.isWhitespace }) { faults.append("\(name) holds text") }
        default:
            break
        }
        text = ""
    }

    private func decimal(_ text: String?) -> Double? {
        guard let text, text.wholeMatch(of: /-?\d+(\.\d+)?/) != nil else { return nil }
        return Double(text)
    }
}
