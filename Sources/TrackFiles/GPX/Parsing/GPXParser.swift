import FoundationEssentials
import PeerStorage
import RegionModel

/// Reads the XML of a GPX file, and converts each item when its element ends.
struct GPXParser {
    // GPX nests elements five levels deep; extensions may nest deeper.
    private static let maximumDepth = 100
    private static let maximumTextLength = 1 << 20

    private let limits: GPXLimits
    private var scanner: XMLScanner
    private var conversion: GPXConversion
    private var parts: GPXParts
    private var stack: [GPXElement] = []
    private var owners: [GPXElement.Owner] = []
    private var namespaces = GPXNamespaces(root: "", [:])
    private var text: [UInt8] = []
    private var isCollecting = false
    private var isTextTooLong = false
    /// Whether the element that began last has not ended, and has a value.
    private var isLeaf = false
    private var hasValue = false
    private var pointCount = 0

    /// Creates a parser of a prepared file.
    init(_ source: @escaping XMLScanner.Source, limits: GPXLimits, conversion: GPXConversion) {
        self.limits = limits
        self.conversion = conversion
        scanner = XMLScanner(source)
        parts = GPXParts(limits)
    }

    /// Parses the file.
    ///
    /// Can be called only once.
    ///
    /// - Parameter oddByteCount: Returns the number of bytes that do not belong to the encoding of the file.
    /// - Returns: The content of the file.
    /// - Throws: `RegionStoreError` if the file is not GPX, is not complete or is too large.
    mutating func parse(oddByteCount: () -> Int) throws(RegionStoreError) -> GPXDocument {
        do {
            while true {
                switch try scanner.next() {
                case .start(let name): try start(name)
                case .text(let text): collect(text)
                case .end: try end()
                case .finished:
                    conversion.texts.leftOut.badCharacters = scanner.badCharacterCount
                    conversion.texts.leftOut.oddBytes = oddByteCount()
                    return try conversion.document(named: parts.fileWords.name)
                }
            }
        } catch let error as RegionStoreError {
            throw error
        } catch {
            if let type = scanner.documentType { throw OtherFormat.error(documentType: type) }
            guard !scanner.isNoXML else {
                throw fault("This is not a GPX file: it is not XML.", remedy: "Export it again as GPX.")
            }
            throw RegionStoreError(
                .invalidFile,
                "This is not a complete GPX file: the XML is wrong at line \(scanner.line), column \(scanner.column).",
                remedy: "Export it again.",
                cause: error
            )
        }
    }

    private func fault(_ message: String, remedy: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, message, remedy: remedy)
    }

    // MARK: Beginnings

    private mutating func start(_ name: String) throws(RegionStoreError) {
        guard scanner.depth <= Self.maximumDepth else {
            throw fault(
                "Line \(scanner.line): the XML is nested too deeply for a GPX file.",
                remedy: "Export it again, from another program if there is one."
            )
        }
        guard let parent = stack.last, let owner = owners.last else { return try startRoot(name) }
        let element = GPXElement(name, own: namespaces.own(name, scanner.attributes), in: parent, of: owner)
        isCollecting = false
        isLeaf = true
        hasValue = scanner.attributes.keys.contains { !$0.hasPrefix("xmlns") }
        switch element {
        case .text, .elevation, .time, .linkText, .linkType, .address, .addressText, .sensor:
            text.removeAll(keepingCapacity: true)
            isTextTooLong = false
            isCollecting = true
        case .waypoint, .routePoint, .trackPoint: parts.beginPoint(try position())
        case .shapePoint: try position().map { parts.addShapePoint($0) }
        case .route: parts.beginLine(.route)
        case .track: parts.beginLine(.track)
        case .segment: parts.beginSegment()
        case .link: parts.beginLink(scanner.attributes["href"] ?? "", owner, &conversion.texts.leftOut)
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

    private mutating func startRoot(_ name: String) throws(RegionStoreError) {
        let local = String(name.dropFirst(GPXNamespaces.prefix(name).count))
        guard local == "gpx" else { throw OtherFormat.error(root: local) }
        namespaces = GPXNamespaces(root: name, scanner.attributes)
        stack.append(.gpx)
        owners.append(.file)
    }

    /// Returns the position of a point, which is counted; nil if it has none.
    private mutating func position() throws(RegionStoreError) -> Coordinate? {
        pointCount += 1
        guard pointCount <= limits.pointCount else { throw tooMany(limits.pointCount, "points") }
        func degrees(_ key: String) -> Double? { scanner.attributes[key].flatMap(GPXNumber.value) }
        guard let latitude = degrees("lat"), let longitude = degrees("lon"),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else {
            // Some programs mark a pause with a latitude of 100 degrees.
            conversion.texts.leftOut.badPoints += 1
            return nil
        }
        if latitude == 0, longitude == 0 { conversion.pointsAtZero += 1 }
        return coordinate
    }

    private mutating func collect(_ piece: XMLScanner.Text) {
        guard isCollecting else {
            if isLeaf, !hasValue { hasValue = !scanner.isBlank(piece) }
            return
        }
        guard text.count + scanner.length(piece) <= Self.maximumTextLength else {
            isTextTooLong = true
            return
        }
        scanner.append(piece, to: &text)
    }

    // MARK: Ends

    private mutating func end() throws(RegionStoreError) {
        guard let element = stack.popLast(), owners.popLast() != nil else { return }
        try end(element, owners.last ?? .file)
        isCollecting = false
        isLeaf = false
    }

    private mutating func end(_ element: GPXElement, _ owner: GPXElement.Owner) throws(RegionStoreError) {
        switch element {
        case .text, .elevation, .time, .linkText, .linkType, .address, .addressText, .sensor:
            guard !isTextTooLong else {
                conversion.texts.leftOut.droppedTexts += 1
                return
            }
            endText(element, owner, String(decoding: text, as: UTF8.self))
        case .waypoint:
            guard let place = parts.endPlace() else { return }
            conversion.add(place)
            guard conversion.waypointCount <= limits.waypointCount else {
                throw tooMany(limits.waypointCount, "waypoints")
            }
            try checkHeldLength()
        case .routePoint, .trackPoint:
            parts.endLinePoint(&conversion.texts.leftOut)
            try checkHeldLength()
        case .segment: parts.endSegment(&conversion.texts.leftOut)
        case .route, .track:
            guard let line = parts.endLine(&conversion.texts.leftOut) else { return }
            try conversion.add(line)
            guard conversion.lineCount <= ModelLimits.maximumItemCount else {
                throw tooMany(ModelLimits.maximumItemCount, "routes and tracks")
            }
            try checkHeldLength()
        case .foreign(let name):
            if isLeaf, hasValue { conversion.texts.leftOut.count(name) }
        case .unknown(let name):
            if isLeaf, !hasValue { return }
            if owner == .file {
                conversion.texts.leftOut.count(ofFile: name)
            } else {
                conversion.texts.leftOut.count(name)
            }
        case .gpx, .metadata, .link, .shapePoint, .extensions, .ignored: break
        }
    }

    private mutating func endText(_ element: GPXElement, _ owner: GPXElement.Owner, _ text: String) {
        switch element {
        case .text(let keyPath): parts.set(keyPath, text, owner)
        case .elevation: parts.setElevation(text, &conversion.texts.leftOut)
        case .time:
            guard owner == .file else { return parts.setTime(text, &conversion.texts.leftOut) }
            conversion.setFileTime(Timestamp.date(parsing: text.utf8))
        case .linkText: parts.setLink(text, owner) { $0.text = $1 }
        case .linkType: parts.setLink(text, owner) { $0.type = $1 }
        case .address: parts.beginLink(text, owner, &conversion.texts.leftOut)
        case .addressText: parts.setLink(text, owner) { $0.text = $1 }
        case .sensor(let sensor): parts.set(sensor, text, &conversion.texts.leftOut)
        default: break
        }
    }

    // MARK: Limits

    private func checkHeldLength() throws(RegionStoreError) {
        guard conversion.heldLength + parts.heldLength <= limits.heldLength else {
            throw fault("The file has too much content to be imported at once.", remedy: Self.split)
        }
    }

    private func tooMany(_ count: Int, _ noun: String) -> RegionStoreError {
        return fault("The file has more than \(GPXNumber.grouped(count)) \(noun).", remedy: Self.split)
    }

    private static let split = "Divide it into several files, and import them one by one."
}
