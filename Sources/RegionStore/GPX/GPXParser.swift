import FoundationEssentials
import PeerStorage

/// Collects the content of a GPX file while it reads the XML.
struct GPXParser {
    // GPX nests elements five levels deep; extensions may nest deeper.
    private static let maximumDepth = 100
    private static let maximumTextLength = 1 << 20

    // All texts of a region together must fit into lists that can be sent.
    private static let maximumTextTotal = Int(ItemCoding.maximumSize)

    private let maximumPointCount: Int
    private var textTotal = 0
    private var scanner: XMLScanner
    private var content = GPXContent()
    private var stack: [GPXElement] = []
    private var owners: [GPXElement.Owner] = []
    private var prefix = ""
    private var identityPrefixes: Set<String> = []
    private var text = ""
    private var isCollecting = false
    /// Whether the element that began last has not ended, and has a value.
    private var isLeaf = false
    private var hasValue = false
    private var parts = GPXParts()
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
                case .end: try end()
                case .finished:
                    content.name = parts.fileWords.name
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

    private func fault(_ message: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, message)
    }

    // MARK: Beginnings

    private mutating func start(_ name: String) throws(RegionStoreError) {
        guard scanner.depth <= Self.maximumDepth else {
            throw fault("Line \(scanner.line): the XML is nested too deeply for a GPX file.")
        }
        guard let parent = stack.last, let owner = owners.last else { return try startRoot(name) }
        let element = GPXElement(name, in: parent, of: owner, prefix: prefix)
        isCollecting = false
        isLeaf = true
        hasValue = scanner.attributes.keys.contains { !$0.hasPrefix("xmlns") }
        switch element {
        case .text, .elevation, .time, .linkText, .linkType, .address, .addressText, .sensor:
            text = ""
            isCollecting = true
        case .waypoint, .routePoint, .trackPoint: try beginPoint()
        case .segment: parts.beginSegment()
        case .link: parts.beginLink(scanner.attributes["href"] ?? "", owner, &content.leftOut)
        case .foreign:
            if let identity = GPXIdentity(name, scanner.attributes, prefixes: identityPrefixes) {
                parts.set(identity, owner)
                hasValue = false
            }
        case .gpx, .metadata, .route, .track, .extensions, .unknown, .ignored: break
        }
        stack.append(element)
        owners.append(element.owner ?? owner)
    }

    private mutating func startRoot(_ name: String) throws(RegionStoreError) {
        let colon = name.utf8.lastIndex(of: 0x3A).map { name.index(after: $0) }
        prefix = String(name[..<(colon ?? name.startIndex)])
        guard name.dropFirst(prefix.count) == "gpx" else {
            throw fault("This is not a GPX file: it is another kind of XML.")
        }
        identityPrefixes = GPXIdentity.prefixes(in: scanner.attributes)
        stack.append(.gpx)
        owners.append(.file)
    }

    private mutating func beginPoint() throws(RegionStoreError) {
        pointCount += 1
        guard pointCount <= maximumPointCount else {
            throw fault("The file has more than \(maximumPointCount) points.")
        }
        func degrees(_ key: String) -> Double? { scanner.attributes[key].flatMap(GPXNumber.value) }
        guard let latitude = degrees("lat"), let longitude = degrees("lon"),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else {
            // Some programs mark a pause with a latitude of 100 degrees.
            content.leftOut.badPoints += 1
            return parts.beginPoint(nil)
        }
        parts.beginPoint(coordinate)
    }

    private mutating func collect(_ string: String) throws(RegionStoreError) {
        guard isCollecting else {
            if isLeaf, !hasValue { hasValue = string.utf8.contains { $0 > 0x20 } }
            return
        }
        guard text.utf8.count + string.utf8.count <= Self.maximumTextLength else {
            throw fault("Line \(scanner.line): a text is too long for a GPX file.")
        }
        text += string
    }

    // MARK: Ends

    private mutating func end() throws(RegionStoreError) {
        guard let element = stack.popLast(), owners.popLast() != nil else { return }
        let owner = owners.last ?? .file
        end(element, owner)
        switch element {
        case .waypoint: try check(content.places.count, "waypoints", parts.pointWords)
        case .routePoint, .trackPoint: try check(0, "points", parts.pointWords)
        case .route: try check(content.routes.count, "routes", content.routes.last?.words)
        case .track: try check(content.tracks.count, "tracks", content.tracks.last?.words)
        default: break
        }
        isCollecting = false
        isLeaf = false
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

    private mutating func end(_ element: GPXElement, _ owner: GPXElement.Owner) {
        switch element {
        case .text(let keyPath): parts.set(keyPath, text, owner)
        case .elevation: parts.setElevation(text, &content.leftOut)
        case .time:
            guard owner == .file else { return parts.setTime(text, &content.leftOut) }
            content.time = Timestamp.date(parsing: text.utf8)
        case .linkText: parts.setLink(text, owner) { $0.text = $1 }
        case .linkType: parts.setLink(text, owner) { $0.type = $1 }
        case .address: parts.beginLink(text, owner, &content.leftOut)
        case .addressText: parts.setLink(text, owner) { $0.text = $1 }
        case .sensor(let sensor): parts.set(sensor, text, &content.leftOut)
        case .waypoint:
            if let place = parts.endPlace() { content.places.append(place) }
        case .routePoint, .trackPoint: parts.endLinePoint(&content.leftOut)
        case .segment: parts.endSegment(&content.leftOut)
        case .route:
            if let line = parts.endLine(&content.leftOut) { content.routes.append(line) }
        case .track:
            if let line = parts.endLine(&content.leftOut) { content.tracks.append(line) }
        case .foreign(let name):
            if isLeaf, hasValue { content.leftOut.count(name) }
        case .unknown(let name):
            if isLeaf, !hasValue { return }
            if owner == .file { content.leftOut.count(ofFile: name) } else { content.leftOut.count(name) }
        case .gpx, .metadata, .link, .extensions, .ignored: break
        }
    }
}
