import FoundationEssentials
import RegionModel

/// A reader of the elements of one format.
protocol XMLTrackParser {
    /// The name of the format, for people.
    static var format: String { get }

    /// What was read.
    var assembly: TrackAssembly { get set }

    /// The name that the file gives itself; possibly empty.
    var fileName: String { get }

    /// The addresses of the files that the file shows as a part of itself.
    var links: [String] { get }

    /// Takes the beginning of an element; its attributes are in the scanner. The root is not among them.
    mutating func start(_ name: String, _ scanner: XMLScanner) throws(RegionStoreError)

    /// Takes a piece of a text.
    mutating func collect(_ text: XMLScanner.Text, _ scanner: XMLScanner) throws(RegionStoreError)

    /// Takes the end of the element that began last, or of the root.
    mutating func end() throws(RegionStoreError)

    /// Takes the end of the file within elements: keeps the points that are complete, and the lines that they are in.
    mutating func endEarly() throws(RegionStoreError)
}

extension XMLTrackParser {
    var links: [String] { [] }
}

/// Reads XML, whose root says what it is.
enum XMLTracks {
    // GPX and KML nest elements few levels deep, but for the folders of KML; extensions may nest deeper.
    private static let maximumDepth = 100

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - assembly: A file without items.
    ///   - source: Returns the next bytes of the file.
    /// - Returns: The content of the file.
    /// - Throws: `RegionStoreError` if the file is no file of tracks, has no items or is too large.
    static func read(
        _ assembly: TrackAssembly,
        _ source: @escaping GPXText.Source
    ) throws(RegionStoreError) -> GPXDocument {
        var assembly = assembly
        let file = try parse(&assembly, source)
        for _ in file.links { assembly.conversion.texts.leftOut.count(KMLElement.networkLinkName) }
        return try assembly.conversion.document(named: file.name)
    }

    /// Reads the items of a file, and adds them to others.
    ///
    /// - Returns: The name that the file gives itself, and the addresses of the files that it shows as a part of itself.
    /// - Throws: `RegionStoreError` if the file is no file of tracks, is not complete and has no items, or is too large.
    static func parse(
        _ assembly: inout TrackAssembly,
        _ source: @escaping GPXText.Source
    ) throws(RegionStoreError) -> (name: String, links: [String]) {
        var text = GPXText(source)
        var format = "XML"
        var scanner = XMLScanner { try text.next() }
        do {
            guard case .start(let name) = try scanner.next() else { throw OtherFormat.unknown }
            let root = String(name.dropFirst(GPXNamespaces.prefix(name).count))
            // The items go from hand to hand, because a copy for each of many files would cost the square of their number.
            let none = TrackAssembly(assembly.limits, GPXConversion(now: .distantPast, stem: ""))
            var parser: any XMLTrackParser
            switch root {
            case "gpx": parser = GPXParser(none, GPXNamespaces(root: name, scanner.attributes))
            case "kml": parser = KMLParser(none)
            case "TrainingCenterDatabase": parser = TCXParser(none)
            default: throw OtherFormat.error(root: root)
            }
            format = type(of: parser).format
            try read(&parser, &scanner, &assembly)
            assembly.conversion.texts.leftOut.badCharacters += scanner.badCharacterCount
            assembly.conversion.texts.leftOut.oddBytes += text.oddByteCount
            return (parser.fileName, parser.links)
        } catch let error as RegionStoreError {
            throw error
        } catch {
            if let type = scanner.documentType { throw OtherFormat.error(documentType: type) }
            guard !scanner.isNoXML else { throw OtherFormat.unknown }
            let place = "line \(scanner.line), column \(scanner.column)"
            throw RegionStoreError(
                .invalidFile,
                scanner.isAtEnd
                    ? "This is not a complete \(format) file: it ends early, at \(place), before its first position."
                    : "This is not a complete \(format) file: the XML is wrong at \(place).",
                remedy: "Export it again.",
                cause: error
            )
        }
    }

    private static func read(
        _ parser: inout any XMLTrackParser,
        _ scanner: inout XMLScanner,
        _ assembly: inout TrackAssembly
    ) throws {
        func readElements<Parser: XMLTrackParser>(_ parser: inout Parser) throws {
            while true {
                switch try scanner.next() {
                case .start(let name):
                    guard scanner.depth <= maximumDepth else {
                        throw RegionStoreError(
                            .invalidFile,
                            "Line \(scanner.line): the XML is nested too deeply for a \(Parser.format) file.",
                            remedy: "Export it again, from another program if there is one."
                        )
                    }
                    try parser.start(name, scanner)
                case .text(let text): try parser.collect(text, scanner)
                case .end: try parser.end()
                case .finished: return
                }
            }
        }
        func read<Parser: XMLTrackParser>(_ parser: inout Parser) throws {
            swap(&parser.assembly, &assembly)
            defer { swap(&parser.assembly, &assembly) }
            do {
                try readElements(&parser)
            } catch let error as XMLScanner.Malformed where scanner.isAtEnd {
                try parser.endEarly()
                guard !parser.assembly.conversion.isEmpty else { throw error }
                parser.assembly.conversion.damage = .endsEarly
            }
        }
        try read(&parser)
    }
}
