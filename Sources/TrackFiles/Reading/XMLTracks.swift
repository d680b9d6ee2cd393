import FoundationEssentials
import RegionModel

/// Reads XML, whose root says what it is.
enum XMLTracks {
    // GPX and KML nest elements few levels deep, but for the folders of KML; extensions may nest deeper.
    private static let maximumDepth = 100

    /// Reads a file; throws if it is no file of tracks, has no items or is too large.
    static func read(
        _ assembly: TrackAssembly,
        _ source: @escaping UTF8Source.Source
    ) throws(RegionStoreError) -> TrackDocument {
        var assembly = assembly
        let file = try parse(&assembly, source)
        for _ in file.links { assembly.texts.leftOut.count(KMLElement.networkLinkName) }
        return try assembly.finished(named: file.name)
    }

    /// Reads the items of a file, and adds them to others.
    ///
    /// - Returns: The name that the file gives itself, and the addresses of the files that it shows as a part of itself.
    static func parse(
        _ assembly: inout TrackAssembly,
        _ source: @escaping UTF8Source.Source
    ) throws(RegionStoreError) -> (name: String, links: [String]) {
        var text = UTF8Source(source)
        var format = "XML"
        var scanner = XMLScanner { try text.next() }
        do {
            guard case .start(let name) = try scanner.next() else { throw OtherFormat.unknown }
            let root = name.xmlLocalName
            let none = TrackAssembly(assembly.limits, now: .distantPast, stem: "")
            var parser: any XMLTrackParser
            switch root {
            case "gpx": parser = GPXParser(none, GPXNamespaces(root: name, scanner.attributes))
            case "kml": parser = KMLParser(none)
            case "TrainingCenterDatabase": parser = TCXParser(none)
            default: throw OtherFormat.error(root: root)
            }
            format = type(of: parser).format
            try read(&parser, &scanner, &assembly)
            assembly.texts.leftOut[.badCharacter] += scanner.input.badCharacterCount
            assembly.texts.leftOut[.oddByte] += text.oddByteCount
            return (parser.fileName, parser.links)
        } catch let error as RegionStoreError {
            throw error
        } catch {
            if let type = scanner.documentType { throw OtherFormat.error(documentType: type) }
            guard !scanner.isNoXML else { throw OtherFormat.unknown }
            let place = "line \(scanner.input.line), column \(scanner.input.column)"
            throw RegionStoreError(
                .invalidFile,
                scanner.input.isAtEnd
                    ? "This is not a complete \(format) file: it ends early, at \(place), before its first position."
                    : "This is not a complete \(format) file: the XML is wrong at \(place).",
                remedy: "Export it again.",
                cause: error
            )
        }
    }

    private static func read<Parser: XMLTrackParser>(
        _ parser: inout Parser,
        _ scanner: inout XMLScanner,
        _ assembly: inout TrackAssembly
    ) throws {
        // The items go from hand to hand, because a copy for each of many files would cost the square of their number.
        swap(&parser.assembly, &assembly)
        defer { swap(&parser.assembly, &assembly) }
        do {
            while true {
                switch try scanner.next() {
                case .start(let name):
                    guard scanner.depth <= maximumDepth else {
                        throw RegionStoreError(
                            .invalidFile,
                            "Line \(scanner.input.line): the XML is nested too deeply for a \(Parser.format) file.",
                            remedy: "Export it again, from another program if there is one."
                        )
                    }
                    try parser.start(name, scanner)
                case .text(let text): try parser.collect(text)
                case .end: try parser.end()
                case .finished: return
                }
            }
        } catch let error as XMLScanner.Malformed where scanner.input.isAtEnd {
            try parser.endEarly()
            guard !parser.assembly.isEmpty else { throw error }
            parser.assembly.document.damage = .endsEarly
        }
    }
}
