import FoundationEssentials

/// Collects the content of a GPX file while it reads the XML.
///
/// An element counts only at a place where a GPX schema allows it, and with the prefix of the root. So the `name` of an extension
/// is not the name of a point.
struct GPXParser {
    private enum Element {
        case gpx
        case metadata
        case waypoint
        case route
        case track
        case segment
        case routePoint
        case trackPoint
        case text(WritableKeyPath<GPXContent.Words, String>)
        case elevation
        case time
        case other
    }

    // GPX nests elements five levels deep; extensions may nest deeper.
    private static let maximumDepth = 100
    private static let maximumTextLength = 1 << 20

    // All texts of a region together must fit into lists that can be sent.
    private static let maximumTextTotal = Int(ItemCoding.maximumSize)

    private let maximumPointCount: Int
    private var textTotal = 0
    private var scanner: XMLScanner
    private var content = GPXContent()
    private var stack: [Element] = []
    private var prefix = ""
    private var text = ""
    private var isCollecting = false
    private var point: TrackPoint?
    private var pointWords = GPXContent.Words()
    private var line = GPXContent.Line()
    private var rootWords = GPXContent.Words()
    private var pointCount = 0

    /// Creates a parser of a prepared file.
    init(_ source: @escaping XMLScanner.Source, maximumPointCount: Int) {
        self.maximumPointCount = maximumPointCount
        scanner = XMLScanner(source)
    }

    /// Parses the file.
    ///
    /// Can be called only once.
    mutating func parse() throws(RegionStoreError) -> GPXContent {
        do {
            while true {
                switch try scanner.next() {
                case .start(let name): try start(name)
                case .text(let text): try collect(try scanner.text(text))
                case .end: try endElement()
                case .finished:
                    content.name = rootWords.name
                    return content
                }
            }
        } catch let error as RegionStoreError {
            throw error
        } catch  where scanner.isAtDocumentType {
            throw fault(
                "This is not a GPX file: it has a document type, which GPX does not allow."
            )
        } catch  where scanner.isNoXML {
            throw RegionStoreError(
                .invalidFile,
                "This is not a GPX file: it is not XML.",
                remedy: "Export it again as GPX."
            )
        } catch {
            throw RegionStoreError(
                .invalidFile,
                "This is not a complete GPX file: the XML is wrong at line \(scanner.line), column \(scanner.column).",
                remedy: "Export it again.",
                cause: error
            )
        }
    }

    private mutating func start(_ name: String) throws(RegionStoreError) {
        guard scanner.depth <= Self.maximumDepth else {
            throw fault("Line \(scanner.line): the XML is nested too deeply for a GPX file.")
        }
        guard !stack.isEmpty else {
            let colon = name.utf8.lastIndex(of: 0x3A).map { name.index(after: $0) }
            prefix = String(name[..<(colon ?? name.startIndex)])
            guard name.dropFirst(prefix.count) == "gpx" else {
                throw fault("This is not a GPX file: it is another kind of XML.")
            }
            return stack.append(.gpx)
        }
        let element = element(name)
        isCollecting = false
        switch element {
        case .text, .elevation, .time:
            text = ""
            isCollecting = true
        case .waypoint: try beginPoint("waypoint")
        case .routePoint: try beginPoint("route point")
        case .trackPoint: try beginPoint("track point")
        case .gpx, .metadata, .route, .track, .segment, .other: break
        }
        stack.append(element)
    }

    private mutating func endElement() throws(RegionStoreError) {
        guard let element = stack.popLast() else { return }
        isCollecting = false
        end(element)
        switch element {
        case .waypoint: try check(content.places.count, "waypoints", pointWords)
        case .route: try check(content.routes.count, "routes", content.routes.last?.words)
        case .track: try check(content.tracks.count, "tracks", content.tracks.last?.words)
        default: break
        }
    }

    /// Checks that the content so far can be sent, so that everything that is imported can be shared.
    private mutating func check(_ count: Int, _ noun: String, _ words: GPXContent.Words?) throws(RegionStoreError) {
        guard count <= ItemCoding.maximumCount else {
            throw fault("The file has more than \(ItemCoding.maximumCount) \(noun), which is more than can be shared.")
        }
        textTotal += words?.length ?? 0
        guard textTotal <= Self.maximumTextTotal else {
            throw fault(
                "The texts of the file are longer than the \(Self.maximumTextTotal >> 20) MiB that can be shared."
            )
        }
    }

    private mutating func collect(_ string: String) throws(RegionStoreError) {
        guard isCollecting else { return }
        guard text.utf8.count + string.utf8.count <= Self.maximumTextLength else {
            throw fault("Line \(scanner.line): a text is too long for a GPX file.")
        }
        text += string
    }

    private func fault(_ message: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, message)
    }

    private func element(_ qualifiedName: String) -> Element {
        guard let parent = stack.last else { return .other }
        if case .other = parent { return .other }
        var name = qualifiedName[...]
        if prefix.isEmpty {
            guard !name.utf8.contains(0x3A) else { return .other }
        } else {
            guard name.hasPrefix(prefix) else { return .other }
            name = name.dropFirst(prefix.count)
        }
        switch (parent, name) {
        case (.segment, "trkpt"): return .trackPoint
        case (.route, "rtept"): return .routePoint
        case (.gpx, "wpt"): return .waypoint
        case (.gpx, "rte"): return .route
        case (.gpx, "trk"): return .track
        case (.track, "trkseg"): return .segment
        case (.gpx, "metadata"): return .metadata
        case (.waypoint, _), (.routePoint, _), (.trackPoint, _):
            return name == "ele" ? .elevation : name == "time" ? .time : words(name)
        case (.gpx, "time"), (.metadata, "time"): return .time
        case (.gpx, _), (.metadata, _), (.route, _), (.track, _): return words(name)
        default: return .other
        }
    }

    private func words(_ name: Substring) -> Element {
        switch name {
        case "name": .text(\.name)
        case "cmt": .text(\.comment)
        case "desc": .text(\.description)
        case "sym": .text(\.symbol)
        case "type": .text(\.type)
        default: .other
        }
    }

    private mutating func beginPoint(_ noun: String) throws(RegionStoreError) {
        pointCount += 1
        guard pointCount <= maximumPointCount else {
            throw fault("The file has more than \(maximumPointCount) points.")
        }
        func degrees(_ key: String) -> Double? { scanner.attributes[key].flatMap(GPXNumber.value) }
        guard let latitude = degrees("lat"), let longitude = degrees("lon") else {
            let what = degrees("lat") == nil ? "latitude" : "longitude"
            throw fault("Line \(scanner.line): a \(noun) has no \(what).")
        }
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw fault("Line \(scanner.line): a \(noun) is not on Earth.")
        }
        point = TrackPoint(coordinate: coordinate)
        pointWords = GPXContent.Words()
    }

    private mutating func end(_ element: Element) {
        switch element {
        case .text(let keyPath):
            setText(keyPath)
        case .elevation:
            point?.elevation = GPXNumber.value(text).flatMap { TrackLimits.elevations.contains($0) ? $0 : nil }
        case .time:
            let time = Timestamp.date(parsing: text.utf8)
            if point != nil { point?.time = time } else { content.time = time }
        case .waypoint:
            if let point { content.places.append(.init(point: point, words: pointWords)) }
            point = nil
        case .routePoint, .trackPoint:
            if let point { line.points.append(point) }
            point = nil
        case .route:
            if !line.points.isEmpty { content.routes.append(line) }
            line = GPXContent.Line()
        case .track:
            if !line.points.isEmpty { content.tracks.append(line) }
            line = GPXContent.Line()
        case .gpx, .metadata, .segment, .other:
            break
        }
    }

    private mutating func setText(_ keyPath: WritableKeyPath<GPXContent.Words, String>) {
        switch stack.last {
        case .waypoint, .routePoint, .trackPoint: pointWords[keyPath: keyPath] = text
        case .route, .track: line.words[keyPath: keyPath] = text
        case .gpx, .metadata: rootWords[keyPath: keyPath] = text
        default: break
        }
    }
}
