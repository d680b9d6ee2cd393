import Foundation
import FoundationXML

/// What a GPX file says, element by element, read with another parser than ours and without our code.
///
/// Points without a position on Earth, empty segments and empty lines say nothing. Positions count to a ten-millionth of a degree,
/// elevations to a millimetre, times to a millisecond, and other numbers to a thousandth.
final class GPXFacts: NSObject, XMLParserDelegate {
    struct Point: Hashable {
        var position: [Int] = []
        var numbers: [String: Int] = [:]
        var texts: [String: String] = [:]
    }

    struct Item: Hashable {
        var element: String
        var texts: [String: String] = [:]
        var links: [[String]] = []
        var segments: [[Point]] = []
    }

    private static let texts: Set<String> = ["name", "cmt", "desc", "sym", "type"]
    private static let sensors = [
        "hr": "hr", "cad": "cad", "atemp": "atemp", "speed": "speed", "hdop": "hdop", "color": "color",
        "DisplayColor": "color",
        "icon": "icon",
    ]

    private(set) var items: Set<Item> = []
    private(set) var count = 0
    private var stack: [String] = []
    private var text = ""
    private var item: Item?
    private var point: Point?

    /// Reads a file.
    init(_ data: Data) {
        super.init()
        let parser = XMLParser(data: data)
        parser.shouldProcessNamespaces = true
        parser.delegate = self
        _ = parser.parse()
    }

    /// The items without the values of sensors.
    var withoutSensors: Set<Item> {
        Set(
            items.map { item in
                var item = item
                for (segment, points) in item.segments.enumerated() {
                    for index in points.indices {
                        item.segments[segment][index].numbers = points[index].numbers.filter {
                            ["ele", "time"].contains($0.key)
                        }
                    }
                }
                return item
            }
        )
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        stack.append(name)
        text = ""
        switch name {
        case "wpt", "rte", "trk": item = Item(element: name, segments: name == "rte" ? [[]] : [])
        case "trkseg": item?.segments.append([])
        case "link":
            if point == nil || item?.element == "wpt" { item?.links.append([attributes["href"] ?? "", "", ""]) }
        default: break
        }
        guard ["wpt", "rtept", "trkpt"].contains(name) else { return }
        point = Point()
        if let latitude = Double(attributes["lat"] ?? ""), let longitude = Double(attributes["lon"] ?? ""),
            abs(latitude) <= 90, abs(longitude) <= 180
        {
            point?.position = [Int((latitude * 1e7).rounded()), Int((longitude * 1e7).rounded())]
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        text += String(decoding: block, as: UTF8.self)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        stack.removeLast()
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        self.text = ""
        let parent = stack.last ?? ""
        switch name {
        case "wpt", "rtept", "trkpt": endPoint(name)
        case "rte", "trk": endLine()
        case "ele": point?.numbers["ele"] = Double(text).map { Int(($0 * 1000).rounded()) }
        case "time": if point != nil { point?.numbers["time"] = Self.milliseconds(text) }
        case _ where parent == "link": setLink(name == "text" ? 1 : 2, text)
        case "url": if point == nil || item?.element == "wpt" { item?.links.append([text, "", ""]) }
        case "urlname": setLink(1, text)
        case _ where Self.texts.contains(name) && (parent == "wpt" || parent == "rtept" || parent == "trkpt"):
            if !text.isEmpty { point?.texts[name] = text }
        case _ where Self.texts.contains(name) && (parent == "rte" || parent == "trk"):
            if !text.isEmpty { item?.texts[name] = text }
        default:
            guard let key = Self.sensors[name], item != nil else { return }
            if key == "color" || key == "icon" {
                item?.texts[key] = text
            } else {
                point?.numbers[key] = Double(text).map { Int(($0 * 1000).rounded()) }
            }
        }
    }

    private func setLink(_ index: Int, _ text: String) {
        guard let last = item?.links.indices.last else { return }
        item?.links[last][index] = text
    }

    private func endPoint(_ name: String) {
        defer { point = nil }
        guard let point, !point.position.isEmpty, var item else { return }
        if name == "wpt" {
            item.segments = [[point]]
            add(item)
        } else if !item.segments.isEmpty {
            item.segments[item.segments.count - 1].append(point)
        }
        self.item = item
    }

    private func endLine() {
        guard var item else { return }
        item.segments.removeAll(where: \.isEmpty)
        if !item.segments.isEmpty { add(item) }
        self.item = nil
    }

    private func add(_ item: Item) {
        items.insert(item)
        count += 1
    }

    private static func milliseconds(_ text: String) -> Int? {
        guard let match = text.wholeMatch(of: /([-0-9]+T[0-9:]+)(?:\.(\d+))?(Z|[-+]\d\d:\d\d)/) else { return nil }
        let formatter = ISO8601DateFormatter()
        guard let date = formatter.date(from: String(match.1) + String(match.3)) else { return nil }
        let fraction = match.2.map { Int(($0 + "000").prefix(3)) ?? 0 } ?? 0
        return Int(date.timeIntervalSince1970) * 1000 + fraction
    }
}
