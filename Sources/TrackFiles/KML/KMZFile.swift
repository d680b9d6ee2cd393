import PeerProtocol
import RegionModel

/// A KMZ file: a KML file in a ZIP file, with the pictures that it shows, and the KML files that it links to.
///
/// Files are inflated piece by piece while they are read, so a bomb costs no memory, and their size together is limited as that of
/// any other file. Files that are not in the archive are not fetched.
struct KMZFile {
    /// An entry of the list at the end of the file.
    private struct Entry {
        /// The name as bytes: to compare texts, Swift sorts their combining marks, which takes quadratic time.
        var name: [UInt8]
        var flags: UInt16
        var method: UInt16
        var checksum: UInt32
        var compressedSize: UInt32
        var size: UInt32
        var offset: UInt32
    }

    /// The content is not what the list says of it.
    private struct Damaged: Error {}

    // The list of 65,535 entries with names of 80 bytes.
    private static let maximumListLength: UInt64 = 8 << 20
    private static let maximumCommentLength = 65_535
    private static let pictures = ["jpg", "jpeg", "png", "gif", "webp", "bmp", "tif", "tiff", "heic", "svg"]

    private let bytes: TrackFileBytes
    private let limits: TrackFileLimits

    init(_ bytes: TrackFileBytes, _ limits: TrackFileLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Reads the KML file in it, and those that it links to; throws if there is none, or if one cannot be read.
    func document(_ assembly: TrackAssembly) throws -> TrackDocument {
        var assembly = assembly
        let entries = try list().filter { $0.name.last != UInt8(ascii: "/") && !Self.isOfMacOS($0.name) }
        let files = entries.filter { Self.suffix($0.name) == "kml" }
        guard let main = files.first(where: { Self.isMain($0.name) }) ?? files.first else {
            throw OtherFormat.other(
                "a ZIP file without a KML file",
                remedy: "Unpack it, and choose the files in it."
            )
        }
        let named = Dictionary(files.map { ($0.name, $0) }) { first, _ in first }
        var (waiting, known, name) = ([main][...], Set([main.offset]), "")
        var length: UInt64 = 0
        while let entry = waiting.popFirst() {
            length += UInt64(entry.size)
            guard length <= UInt64(max(0, limits.fileSize)) else { throw tooLarge }
            let file = try read(entry, &assembly)
            if name.isEmpty { name = file.name }
            for link in file.links {
                guard let linked = Self.paths(of: link, in: entry.name).lazy.compactMap({ named[$0] }).first else {
                    assembly.texts.leftOut.count(KMLElement.networkLinkName)
                    continue
                }
                // Two files may link to each other.
                if known.insert(linked.offset).inserted { waiting.append(linked) }
            }
        }
        for entry in entries where !known.contains(entry.offset) {
            let suffix = Self.suffix(entry.name)
            assembly.texts.leftOut.count(
                suffix == "kml" ? "further KML file" : Self.pictures.contains(suffix) ? "picture" : "further file"
            )
        }
        return try assembly.finished(named: name)
    }

    private func read(_ entry: Entry, _ assembly: inout TrackAssembly) throws -> (name: String, links: [String]) {
        let next = try content(of: entry)
        return try XMLTracks.parse(&assembly) {
            do {
                return try next()
            } catch is Inflater.Broken {
                throw Self.damaged
            } catch is Damaged {
                throw Self.damaged
            }
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// Returns the names that a link can mean: as it is written, and with the characters that addresses write as numbers.
    private static func paths(of link: String, in file: [UInt8]) -> [[UInt8]] {
        let link = link.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard !link.contains(UInt8(ascii: ":")), link.first != slash else { return [] }
        var parts = file.split(separator: slash).dropLast().map { Array($0) }
        for part in link.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(Array(part)) }
        }
        let path = Array(parts.joined(separator: [slash]))
        return [path, withoutEscapes(path)]
    }

    /// Returns an address with the characters that are written as `%20`.
    private static func withoutEscapes(_ address: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = address[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let escaped = UInt8(digits, radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func isMain(_ name: [UInt8]) -> Bool {
        name.count == 7 && String(decoding: name, as: UTF8.self).lowercased() == "doc.kml"
    }

    /// Returns whether an entry is what macOS adds of its own: attributes of files, in files with the same endings.
    private static func isOfMacOS(_ name: [UInt8]) -> Bool {
        guard let file = name.split(separator: slash).last else { return false }
        return name.starts(with: "__MACOSX/".utf8) || file.starts(with: "._".utf8)
            || file.elementsEqual(".DS_Store".utf8)
    }

    // MARK: The content of an entry

    /// Returns a source of the content of an entry.
    private func content(of entry: Entry) throws -> () throws -> [UInt8] {
        guard entry.flags & 1 == 0 else {
            throw Self.refused("needs a password", remedy: Self.unpack)
        }
        guard entry.method == 0 || entry.method == 8 else {
            throw Self.refused("is compressed by another method than deflate", remedy: Self.unpack)
        }
        let header = Fields(try bytes.exactly(UInt64(entry.offset), ZIPForm.entryLength) ?? [])
        guard header.number4(0) == ZIPForm.entry else { throw Self.damaged }
        let start =
            UInt64(entry.offset) + UInt64(ZIPForm.entryLength) + UInt64(header.number2(26))
            + UInt64(header.number2(28))
        let compressed = bytes.pieces(in: start..<start + UInt64(entry.compressedSize))
        let next: () throws -> [UInt8]
        if entry.method == 0 {
            guard entry.size == entry.compressedSize else { throw Self.damaged }
            next = compressed
        } else {
            let inflater = Inflater(as: .raw, compressed)
            next = { try inflater.next() }
        }
        var length: UInt64 = 0
        var checksum: UInt32 = 0
        return {
            let piece = try next()
            length += UInt64(piece.count)
            checksum = ZIPForm.checksum(piece, after: checksum)
            guard length <= entry.size, !piece.isEmpty || (length == entry.size && checksum == entry.checksum) else {
                throw Damaged()
            }
            return piece
        }
    }

    // MARK: The list of the entries

    private func list() throws -> [Entry] {
        let (end, position) = try end()
        let (count, length, offset) = (end.number2(10), UInt64(end.number4(12)), UInt64(end.number4(16)))
        guard count != .max, length != UInt32.max, offset != UInt32.max else {
            throw Self.refused("has the form for more than 4 GB (ZIP64)", remedy: Self.unpack)
        }
        // A file on several disks has its entries elsewhere.
        guard end.number4(4) == 0, end.number2(8) == count, length <= Self.maximumListLength,
            offset + length <= position
        else { throw Self.damaged }
        let list = Fields(try bytes.exactly(offset, Int(length)) ?? [])
        var entries: [Entry] = []
        var index = 0
        for _ in 0..<count {
            guard list.number4(index) == ZIPForm.listed else { throw Self.damaged }
            let nameLength = Int(list.number2(index + 28))
            let start = index + ZIPForm.listedLength
            guard let name = list.bytes(start, nameLength) else { throw Self.damaged }
            entries.append(
                Entry(
                    name: Array(name.prefix(1000)),
                    flags: list.number2(index + 8),
                    method: list.number2(index + 10),
                    checksum: list.number4(index + 16),
                    compressedSize: list.number4(index + 20),
                    size: list.number4(index + 24),
                    offset: list.number4(index + 42)
                )
            )
            index = start + nameLength + Int(list.number2(index + 30)) + Int(list.number2(index + 32))
        }
        return entries
    }

    /// Returns the end of the list, and where it is: before a comment, which may be long.
    private func end() throws -> (Fields, UInt64) {
        let length = min(bytes.size, UInt64(ZIPForm.endLength + Self.maximumCommentLength))
        let last = try bytes.exactly(bytes.size - length, Int(length)) ?? []
        let fields = Fields(last)
        var index = last.count - ZIPForm.endLength
        while index >= 0 {
            if fields.number4(index) == ZIPForm.end,
                index + ZIPForm.endLength + Int(fields.number2(index + 20)) == last.count
            {
                return (Fields(Array(last[index...])), bytes.size - length + UInt64(index))
            }
            index -= 1
        }
        throw Self.damaged
    }

    private static func suffix(_ name: [UInt8]) -> String {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.count - dot <= 6 else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    private var tooLarge: RegionStoreError {
        Self.refused(
            "has more than \(limits.fileSize / 1_000_000) MB of KML",
            remedy: "Divide the map into several files in the program that made it."
        )
    }

    private static let unpack = "Unpack it, and choose the KML file in it."

    private static let damaged = RegionStoreError(
        .invalidFile,
        "The ZIP or KMZ file is damaged or not complete.",
        remedy: "Export or download it again."
    )

    private static func refused(_ reason: String, remedy: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "The ZIP or KMZ file \(reason).", remedy: remedy)
    }
}

/// Numbers in little-endian order; those behind the end are 0.
private struct Fields {
    private let all: [UInt8]

    init(_ bytes: [UInt8]) { all = bytes }

    func bytes(_ index: Int, _ count: Int) -> ArraySlice<UInt8>? {
        index >= 0 && index <= all.count && count <= all.count - index ? all[index..<index + count] : nil
    }

    func number2(_ index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: bytes(index, 2)?.number(isBigEndian: false) ?? 0)
    }

    func number4(_ index: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: bytes(index, 4)?.number(isBigEndian: false) ?? 0)
    }
}
