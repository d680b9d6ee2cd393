import FoundationEssentials
import RegionModel

/// Reads the elements of a KML file (OGC 2.2, with the tracks of Google's extension).
///
/// A point becomes a waypoint, lines become a planned route, and a track with times becomes a recorded hike. Nothing that a file
/// links to is fetched; ``KMZFile`` reads what is in the same archive.
struct KMLParser: XMLTrackParser {
    static let format = "KML"

    var assembly: TrackAssembly
    private(set) var fileName = ""
    private(set) var links: [String] = []
    private var stack: [KMLElement] = [.container]
    private var text = CollectedText()
    private var placemark = KMLPlacemark()
    private var coordinates = KMLCoordinates()
    private var styles = KMLStyles()
    /// The ids of the style and the map of styles that are being read.
    private var styleID = ""
    private var mapID = ""
    private var isNormalPair = false
    private var hasValue = false
    private var link = ""

    private static let maximumLinkCount = 1000
    private static let maximumLinkLength = 1000

    init(_ assembly: TrackAssembly) { self.assembly = assembly }

    // MARK: Beginnings

    mutating func start(_ name: String, _ scanner: XMLScanner) throws(RegionStoreError) {
        guard let parent = stack.last else { return }
        let element = KMLElement(name.xmlLocalName, scanner.attributes, in: parent)
        text.begin(element.hasText)
        switch element {
        case .placemark: placemark = KMLPlacemark()
        case .point: placemark.beginPoint()
        case .line: placemark.beginLine()
        case .track: placemark.beginTrack()
        case .coordinates: coordinates = KMLCoordinates()
        case .style(let id): styleID = id
        case .styleMap(let id): mapID = id
        case .pair: isNormalPair = false
        case .networkLink: link = ""
        case .leftOut("Polygon"), .leftOut("Model"): placemark.hasGeometry = true
        case .value, .leftOut: hasValue = false
        default: break
        }
        stack.append(element)
    }

    mutating func collect(_ piece: ArraySlice<UInt8>) throws(RegionStoreError) {
        if !hasValue { hasValue = !piece.isBlank }
        guard case .coordinates? = stack.last else { return text.append(piece) }
        try readCoordinates { reader, take throws(RegionStoreError) in try reader.read(piece, take) }
    }

    // MARK: Positions

    private typealias Take = (KMLCoordinates.Position) throws(RegionStoreError) -> Void

    private mutating func readCoordinates(
        _ read: (_ reader: inout KMLCoordinates, _ take: Take) throws(RegionStoreError) -> Void
    ) throws(RegionStoreError) {
        guard let parent = stack.dropLast().last else { return }
        // What takes the positions belongs to the parser, too.
        var reader = coordinates
        try read(&reader) { position throws(RegionStoreError) in
            guard let point = try point(position) else { return }
            if case .point = parent {
                placemark.addPlace(point)
            } else {
                placemark.addLinePoint(point, &assembly.texts.leftOut)
            }
            try assembly.check(placemark.heldLength)
        }
        coordinates = reader
    }

    private mutating func point(_ position: KMLCoordinates.Position) throws(RegionStoreError) -> TrackPoint? {
        placemark.hasGeometry = true
        let coordinate = try assembly.position(position.latitude, position.longitude)
        let elevation = assembly.texts.leftOut.elevation(position.altitude)
        return coordinate.map { TrackPoint(coordinate: $0, elevation: elevation) }
    }

    // MARK: Ends

    mutating func end() throws(RegionStoreError) {
        guard let element = stack.last else { return }
        let words = element.hasText ? text.end(&assembly.texts.leftOut) : nil
        if case .coordinates = element {
            try readCoordinates { reader, take throws(RegionStoreError) in try reader.end(take) }
        }
        stack.removeLast()
        text.begin(false)
        switch element {
        case .placemark: try endPlacemark()
        case .point: placemark.endPoint(&assembly.texts.leftOut)
        case .line: placemark.endLine(&assembly.texts.leftOut)
        case .track:
            placemark.endTrack(&assembly.texts.leftOut)
            try assembly.check(placemark.heldLength)
        case .value(let name):
            if hasValue { assembly.texts.leftOut.count(name.isEmpty ? "value" : name) }
        case .sensor(nil): assembly.texts.leftOut.count("values of a track")
        case .leftOut(let name): assembly.texts.leftOut.count(name)
        case .networkLink:
            if !link.isEmpty, link.utf8.count <= Self.maximumLinkLength, links.count < Self.maximumLinkCount {
                links.append(link)
            } else {
                assembly.texts.leftOut.count(KMLElement.networkLinkName)
            }
        default:
            if let words { try end(element, words.trimmed) }
        }
    }

    mutating func endEarly() throws(RegionStoreError) {
        text.begin(false)
        // It may come behind the end.
        placemark.hasGeometry = true
        while let element = stack.last {
            switch element {
            // The last of several positions may be cut within a number.
            case .point, .line, .track, .placemark: try end()
            default: stack.removeLast()
            }
        }
    }

    // Texts are compared by their bytes: Swift sorts the combining marks of a text before it compares it, and that takes
    // quadratic time.
    private mutating func end(_ element: KMLElement, _ words: String) throws(RegionStoreError) {
        switch element {
        case .text(let text): set(text, words)
        case .linkAddress: link = words
        // A mode that is not known says nothing of the elevations.
        case .altitudeMode:
            placemark.hasRelativeElevations = words.prefix(20).lowercased().utf8.starts(with: "relative".utf8)
        case .coordinate:
            let numbers = words.utf8.split(maxSplits: 3) { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.prefix(3)
                .map { DecimalNumber.value(String(decoding: $0, as: UTF8.self)) }
            // A point without a position has the time and the values at its place.
            let point = try point(KMLCoordinates.Position(numbers))
            placemark.addTrackPoint(point)
            try assembly.check(placemark.heldLength)
        case .when: try checkCount(placemark.addTime(assembly.texts.leftOut.time(words)))
        case .moment: placemark.time = assembly.texts.leftOut.time(words)
        case .pairKey: isNormalPair = words.utf8.elementsEqual("normal".utf8)
        case .pairStyle: if isNormalPair { styles.setStyle(words, of: mapID) }
        case .address:
            let symbol = KMLStyles.symbol(words)
            styles.setIcon(symbol, of: styleID)
            if stack.contains(where: { if case .placemark = $0 { true } else { false } }) { placemark.icon = symbol }
        case .sensorValue(let sensor):
            let value = DecimalNumber.value(words)
            if value == nil, !words.isEmpty { assembly.texts.leftOut[.badSensor] += 1 }
            try checkCount(placemark.addValue(value, of: sensor, &assembly.texts.leftOut))
        default: break
        }
    }

    private func checkCount(_ count: Int) throws(RegionStoreError) {
        guard count <= assembly.limits.pointCount else { throw assembly.tooMany(assembly.limits.pointCount, "points") }
        try assembly.check(placemark.heldLength)
    }

    private mutating func set(_ text: KMLElement.Text, _ words: String) {
        guard case .placemark? = stack.last else {
            if text == .name, fileName.isEmpty { fileName = words }
            if text == .description, !words.isEmpty { assembly.texts.leftOut.count(ofFile: "description") }
            return
        }
        switch text {
        case .name: placemark.words.name = words
        case .description:
            let (plain, pictureCount) = HTMLText.plain(words)
            placemark.words.description = plain
            for _ in 0..<pictureCount { assembly.texts.leftOut.count("picture of a description") }
        case .style: placemark.style = words
        }
    }

    private mutating func endPlacemark() throws(RegionStoreError) {
        if !placemark.hasGeometry { assembly.texts.leftOut.count("Placemark without a geometry") }
        let held = placemark.heldLength
        let symbol = placemark.icon.isEmpty ? styles.icon(placemark.style) : placemark.icon
        for point in placemark.places {
            var place = TrackContent.Waypoint(point: point, words: placemark.words)
            place.point.time = placemark.time
            place.words.symbol = symbol
            try assembly.add(place, whileHolding: held)
        }
        if let route = placemark.plannedRoute { try assembly.add(route, whileHolding: held) }
        if let track = placemark.recordedTrack { try assembly.add(track, whileHolding: held) }
        placemark = KMLPlacemark()
    }
}
