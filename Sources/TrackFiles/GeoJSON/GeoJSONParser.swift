import FoundationEssentials
import PeerProtocol
import RegionModel

/// Reads the objects of a GeoJSON file (RFC 7946), one feature after the other.
///
/// A point becomes a waypoint, a line becomes a planned route, and a line with a time for each position, as other programs write it,
/// becomes a recorded hike.
struct GeoJSONParser {
    /// An object that was read: a geometry, a feature or a list of features.
    private struct Object {
        var type = ""
        /// The geometries in it.
        var shapes: [GeoJSONShape] = []
        var properties = GeoJSONProperties()
    }

    private static let maximumValueCount = 20_000_000

    private var assembly: TrackAssembly
    private var name = ""
    private var rest = JSONScanner.Limits(length: GeoJSONProperties.maximumTextLength, valueCount: maximumValueCount)
    /// The memory of the positions and properties that were read and are in no item yet, in bytes.
    private var heldLength = 0

    /// Reads a file; throws if it is not GeoJSON or too large.
    static func read(_ assembly: TrackAssembly, _ bytes: TrackFileBytes) throws -> TrackDocument {
        // Some programs write a byte order mark, which no JSON has.
        let start: UInt64 = try bytes.exactly(0, 3) == [0xEF, 0xBB, 0xBF] ? 3 : 0
        var isAtEnd = false
        var scanner = JSONScanner(.list) { buffer, position in
            let piece = try bytes.read(start + position, buffer.count)
            isAtEnd = piece.isEmpty
            // In sequences of objects (RFC 8142), each has this mark before it.
            buffer.copyBytes(from: piece.lazy.map { $0 == 0x1E ? 0x20 : $0 })
            return piece.count
        }
        var parser = GeoJSONParser(assembly: assembly)
        do {
            // Some programs write one object after the other.
            repeat {
                try parser.endRoot(try parser.object(&scanner))
                parser.heldLength = 0
            } while try scanner.peekBehindSpace() == UInt8(ascii: "{")
            guard try scanner.peekBehindSpace() == nil else { throw JSONFault.notJSON }
        } catch let fault as JSONFault {
            guard isAtEnd, !parser.assembly.isEmpty else { throw error(fault, isAtEnd) }
            parser.assembly.document.damage = .endsEarly
        }
        return try parser.assembly.finished(named: parser.name)
    }

    private init(assembly: TrackAssembly) { self.assembly = assembly }

    private static func error(_ fault: JSONFault, _ isAtEnd: Bool) -> RegionStoreError {
        let (message, remedy) =
            switch fault {
            case .notUTF8: ("The file is damaged, or its text encoding is not supported.", "Save it as UTF-8.")
            case .tooDeep:
                (
                    "The JSON is nested too deeply for a GeoJSON file.",
                    "Export it again, from another program if there is one."
                )
            case _ where fault.isLimit:
                ("The file has more or longer values than a GeoJSON file may have.", TrackAssembly.split)
            default:
                (
                    "This is not a complete GeoJSON file: "
                        + (isAtEnd ? "it ends early, before the end of its first item." : "the JSON is wrong."),
                    "Export it again."
                )
            }
        return RegionStoreError(.invalidFile, message, remedy: remedy, cause: fault)
    }

    // MARK: Objects

    /// Reads an object, which may have its members in any order.
    private mutating func object(_ scanner: inout JSONScanner) throws -> Object {
        var object = Object()
        try scanner.readElements("{") { scanner in
            let key = try GeoJSONProperties.key(&scanner, &rest)
            switch (key, try scanner.peekBehindSpace()) {
            case ("type", UInt8(ascii: "\"")):
                let text = try GeoJSONProperties.text(&scanner, &assembly.texts.leftOut) ?? ""
                object.type = TrackTexts.cut(text, to: 100)
            case ("features", UInt8(ascii: "[")):
                try scanner.readElements("[") { scanner in
                    guard try isObject(&scanner) else { return }
                    let outerLength = heldLength
                    try add(try self.object(&scanner))
                    heldLength = outerLength
                }
            case ("geometry", UInt8(ascii: "{")):
                object.shapes += try self.object(&scanner).shapes
            case ("geometries", UInt8(ascii: "[")):
                try scanner.readElements("[") { scanner in
                    guard try isObject(&scanner) else { return }
                    object.shapes += try self.object(&scanner).shapes
                }
            case ("coordinates", UInt8(ascii: "[")):
                // A file may have many that are empty.
                heldLength += 2 * MemoryLayout<GeoJSONShape>.stride
                try assembly.check(heldLength)
                var shape = GeoJSONShape()
                let before = GeoJSONShape.Faults(assembly)
                _ = try coordinates(&scanner, &shape)
                shape.faults = GeoJSONShape.Faults(assembly, since: before)
                object.shapes.append(shape)
            case ("properties", UInt8(ascii: "{")):
                let formerLength = object.properties.heldLength
                try object.properties.read(&scanner, &rest, &assembly.texts.leftOut)
                // They stay while the objects in this one are read.
                heldLength += object.properties.heldLength - formerLength
                try assembly.check(heldLength)
            case ("name", UInt8(ascii: "\"")):
                let text = try GeoJSONProperties.text(&scanner, &assembly.texts.leftOut)
                if name.isEmpty { name = text ?? "" }
            case ("crs", UInt8(ascii: "{")): try checkSystem(&scanner)
            default: try scanner.skipValue(&rest)
            }
        }
        for index in object.shapes.indices where object.shapes[index].type.isEmpty {
            object.shapes[index].type = object.type
        }
        return object
    }

    /// Returns whether an object follows; anything else is skipped.
    private mutating func isObject(_ scanner: inout JSONScanner) throws -> Bool {
        if try scanner.peekBehindSpace() == UInt8(ascii: "{") { return true }
        try scanner.skipValue(&rest)
        return false
    }

    /// Files of before RFC 7946 may have positions in any system.
    private mutating func checkSystem(_ scanner: inout JSONScanner) throws {
        var bytes: [UInt8] = []
        try scanner.copyValue(to: &bytes, &rest)
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.contains("\"name\"") || ["CRS84", "4326", "4979"].contains(where: { text.contains($0) }) else {
            throw RegionStoreError(
                .invalidFile,
                "The positions of the file are not longitudes and latitudes of WGS 84.",
                remedy: "Convert it with GDAL: ogr2ogr -t_srs EPSG:4326 NEW.geojson FILE.geojson"
            )
        }
    }

    private mutating func endRoot(_ root: Object) throws(RegionStoreError) {
        switch root.type {
        case "FeatureCollection": break
        case "Topology":
            throw OtherFormat.other("a TopoJSON file", remedy: "Export it as GeoJSON in the program that made it.")
        case "": throw OtherFormat.other("JSON of another kind", remedy: "Export it as GeoJSON or GPX.")
        default: try add(root)
        }
    }

    // MARK: Coordinates

    /// Reads an array of numbers, which is a position, or of arrays; returns how deep it is: 1 for a position.
    private mutating func coordinates(_ scanner: inout JSONScanner, _ shape: inout GeoJSONShape) throws -> Int {
        var numbers: [Double?] = []
        var depth = 0
        let start = shape.points.count
        try scanner.readElements("[") { scanner in
            if try scanner.peekBehindSpace() == UInt8(ascii: "[") {
                depth = max(depth, try coordinates(&scanner, &shape))
            } else {
                let number = try GeoJSONProperties.number(&scanner, &rest)
                // The fourth number may be a time. What follows has no meaning.
                if numbers.count < 4 { numbers.append(number) }
            }
        }
        if depth == 0, numbers.isEmpty { shape.emptyCount += 1 }
        if depth == 0, !numbers.isEmpty {
            let coordinate = try assembly.position(numbers.count > 1 ? numbers[1] : nil, numbers[0])
            let elevation = assembly.texts.leftOut.elevation(numbers.count > 2 ? numbers[2] : nil)
            let time = numbers.count > 3 ? positionTime(numbers[3]) : nil
            shape.points.append(coordinate.map { TrackPoint(coordinate: $0, elevation: elevation, time: time) })
            if time != nil { shape.hasTimes = true }
            heldLength += 2 * MemoryLayout<TrackPoint?>.stride
            try assembly.check(heldLength)
        }
        if depth == 1, start < shape.points.count { shape.starts.append(start) }
        return depth + 1
    }

    /// Returns the time that the fourth number of a position is in files of CalTopo, in milliseconds; nil for any other number,
    /// which is counted unless it is 0.
    private mutating func positionTime(_ number: Double?) -> Date? {
        guard let number, number != 0 else { return nil }
        guard Self.plausibleTimes.contains(number) else {
            assembly.texts.leftOut[.furtherNumber] += 1
            return nil
        }
        return Date(timeIntervalSince1970: number / 1000)
    }

    // From 1990 to 2100, in milliseconds.
    private static let plausibleTimes = 631_152_000_000.0..<4_102_444_800_000

    // MARK: Items

    private mutating func add(_ object: Object) throws(RegionStoreError) {
        // Values come for one geometry.
        var properties = object.properties
        if object.type == "Feature", object.shapes.isEmpty {
            assembly.texts.leftOut.count("feature without a geometry")
        }
        for shape in object.shapes {
            switch shape.type {
            case "Point", "MultiPoint":
                assembly.texts.leftOut.count("point without a position", times: shape.emptyCount)
                for case var point? in shape.points {
                    point.elevation = point.elevation ?? assembly.texts.leftOut.elevation(properties.elevation)
                    point.time = properties.time ?? point.time
                    try assembly.add(
                        TrackContent.Waypoint(point: point, words: properties.words),
                        whileHolding: heldLength
                    )
                }
            case "LineString", "MultiLineString":
                let line = shape.line(properties, &assembly.texts.leftOut)
                properties = GeoJSONProperties(words: properties.words)
                // A line without any point counts as one thing.
                if shape.type == "MultiLineString", !shape.points.isEmpty {
                    assembly.texts.leftOut[.emptySegment] += shape.emptyCount
                }
                try assembly.add(line, whileHolding: heldLength)
            default:
                shape.faults.forget(in: &assembly)
                let name = shape.type.isEmpty ? "geometry without a type" : shape.type
                assembly.texts.leftOut.count(name)
            }
        }
    }
}
