import FoundationEssentials
import PeerStorage
import RegionModel

/// Reads the elements of a GPX file, and converts each item when its element ends.
struct GPXParser: XMLTrackParser {
    static let format = "GPX"

    var assembly: TrackAssembly
    private var parts: GPXParts
    private var stack: [GPXElement] = [.gpx]
    private var owners: [GPXElement.Owner] = [.file]
    private let namespaces: GPXNamespaces
    private var text = CollectedText()
    /// Whether the element that began last has not ended, and has a value.
    private var isLeaf = false
    private var hasValue = false

    init(_ assembly: TrackAssembly, _ namespaces: GPXNamespaces) {
        self.assembly = assembly
        self.namespaces = namespaces
        parts = GPXParts(assembly.limits)
    }

    var fileName: String { parts.fileWords.name }

    // MARK: Beginnings

    mutating func start(_ name: String, _ scanner: XMLScanner) throws(RegionStoreError) {
        guard let parent = stack.last, let owner = owners.last else { return }
        let element = GPXElement(name, own: namespaces.own(name, scanner.attributes), in: parent, of: owner)
        text.begin(false)
        isLeaf = true
        hasValue = scanner.attributes.keys.contains { !$0.hasPrefix("xmlns") }
        switch element {
        case .text, .elevation, .time, .linkText, .linkType, .address, .addressText, .sensor: text.begin(true)
        case .waypoint, .routePoint, .trackPoint: parts.beginPoint(try position(scanner))
        case .shapePoint: try position(scanner).map { parts.addShapePoint($0) }
        case .route: parts.beginLine(.route)
        case .track: parts.beginLine(.track)
        case .segment: parts.beginSegment()
        case .link: parts.beginLink(scanner.attributes["href"] ?? "", owner, &assembly.texts.leftOut)
        case .foreign:
            if let identity = GPXIdentity(name, scanner.attributes, prefixes: namespaces.identity) {
                parts.set(identity, owner)
                hasValue = false
            }
        case .gpx, .metadata, .extensions, .unknown, .ignored: break
        }
        stack.append(element)
        owners.append(element.owner ?? owner)
    }

    /// Returns the position of a point, which is counted; nil if it has none.
    private mutating func position(_ scanner: XMLScanner) throws(RegionStoreError) -> Coordinate? {
        func degrees(_ key: String) -> Double? { scanner.attributes[key].flatMap(DecimalNumber.value) }
        return try assembly.position(degrees("lat"), degrees("lon"))
    }

    mutating func collect(_ piece: ArraySlice<UInt8>) {
        if text.isCollecting {
            text.append(piece)
        } else if isLeaf, !hasValue {
            hasValue = !piece.isBlank
        }
    }

    // MARK: Ends

    mutating func end() throws(RegionStoreError) {
        guard let element = stack.popLast(), owners.popLast() != nil else { return }
        try end(element, owners.last ?? .file)
        text.begin(false)
        isLeaf = false
    }

    mutating func endEarly() throws(RegionStoreError) {
        assembly.isCut = true
        while let element = stack.last {
            switch element {
            // A point that is not complete may lack its elevation or its time.
            case .segment, .route, .track: try end()
            default:
                stack.removeLast()
                owners.removeLast()
            }
        }
    }

    private mutating func end(_ element: GPXElement, _ owner: GPXElement.Owner) throws(RegionStoreError) {
        switch element {
        case .text, .elevation, .time, .linkText, .linkType, .address, .addressText, .sensor:
            if let text = text.end(&assembly.texts.leftOut) { endText(element, owner, text) }
        case .waypoint:
            if let waypoint = parts.endWaypoint() { try assembly.add(waypoint, whileHolding: parts.heldLength) }
        case .routePoint, .trackPoint:
            parts.endLinePoint(&assembly.texts.leftOut)
            try assembly.check(parts.heldLength)
        case .segment: parts.endSegment(&assembly.texts.leftOut)
        case .route, .track:
            try assembly.add(parts.endLine(), whileHolding: parts.heldLength)
        case .foreign(let name):
            if isLeaf, hasValue { assembly.texts.leftOut.count(name) }
        case .unknown(let name):
            if isLeaf, !hasValue { return }
            if owner == .file {
                assembly.texts.leftOut.count(ofFile: name)
            } else {
                assembly.texts.leftOut.count(name)
            }
        case .gpx, .metadata, .link, .shapePoint, .extensions, .ignored: break
        }
    }

    private mutating func endText(_ element: GPXElement, _ owner: GPXElement.Owner, _ text: String) {
        switch element {
        case .text(let keyPath): parts.set(keyPath, text, owner)
        case .elevation: parts.setElevation(text, &assembly.texts.leftOut)
        case .time:
            guard owner == .file else { return parts.setTime(text, &assembly.texts.leftOut) }
            assembly.setFileTime(Timestamp.date(parsing: text.utf8))
        case .linkText: parts.setLink(text, owner) { $0.text = $1 }
        case .linkType: parts.setLink(text, owner) { $0.type = $1 }
        case .address: parts.beginLink(text, owner, &assembly.texts.leftOut)
        case .addressText: parts.setLink(text, owner) { $0.text = $1 }
        case .sensor(let sensor): parts.set(sensor, text, &assembly.texts.leftOut)
        default: break
        }
    }
}
