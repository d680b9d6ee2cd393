/// HEIF (ISO/IEC 23008-12) in its boxes (ISO/IEC 14496-12, 4.2).
///
/// How the picture has to be turned is a property of its item, not in the data of Exif.
extension BarePhoto {
    private struct Box {
        var kind: String
        var range: Range<Int>
        var content: Range<Int>
    }

    /// Pictures of phones have a few hundred.
    private static let maximumExtentCount = 65_536

    /// Where data of Exif or XMP are, and what stands there instead.
    private struct Cleared {
        var range: Range<Int>
        var beginning: [UInt8] = []
        var filling: UInt8

        /// Data that say nothing: what comes before Exif data, and a TIFF file with an empty directory; spaces for XML.
        init(_ range: Range<Int>, isExif: Bool) {
            self.range = range
            filling = isExif ? 0 : UInt8(ascii: " ")
            let nothing: [UInt8] = [0, 0, 0, 0, 0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
            if isExif, range.count >= nothing.count { beginning = nothing }
        }
    }

    /// Reads a photo: data that say nothing take the place of those of Exif and XMP, so that everything else stays where it is.
    mutating func readHEIF() throws {
        let boxes = try boxes(in: 0..<size)
        // Films and sequences have details of their own in other places.
        guard let meta = boxes.first(where: { $0.kind == "meta" }), !boxes.contains(where: { $0.kind == "moov" }) else {
            throw Unreadable()
        }
        var cleared = try details(in: meta).sorted { $0.range.lowerBound < $1.range.lowerBound }[...]
        for box in boxes {
            guard ["ftyp", "meta", "mdat", "free", "skip"].contains(box.kind) else {
                // Such as a film that follows the picture.
                add(.bytes(box.range.count.bigEndian4 + Array("free".utf8)))
                add(.filling(0, count: box.range.count - 8))
                continue
            }
            var position = box.range.lowerBound
            while let next = cleared.first, next.range.lowerBound < box.range.upperBound {
                let range = next.range
                guard range.lowerBound >= position, range.upperBound <= box.range.upperBound,
                    box.kind == "mdat" || box.kind == "meta"
                else { throw Unreadable() }
                try keep(position..<range.lowerBound)
                add(.bytes(next.beginning))
                add(.filling(next.filling, count: range.count - next.beginning.count))
                position = range.upperBound
                cleared = cleared.dropFirst()
            }
            try keep(position..<box.range.upperBound)
        }
        guard cleared.isEmpty else { throw Unreadable() }
    }

    /// Reads boxes that follow each other.
    private func boxes(in range: Range<Int>) throws -> [Box] {
        var (boxes, position) = ([Box](), range.lowerBound)
        while position < range.upperBound {
            guard boxes.count < 1000 else { throw Unreadable() }
            var (length, header) = (try integer(position, 4), 8)
            if length == 1 { (length, header) = (try integer(position + 12, 4), 16) }
            if length == 0 { length = range.upperBound - position }
            guard length >= header, length <= range.upperBound - position else { throw Unreadable() }
            let kind = String(decoding: try bytes(position + 4, 4), as: UTF8.self)
            boxes.append(
                Box(kind: kind, range: position..<position + length, content: position + header..<position + length)
            )
            position += length
        }
        return boxes
    }

    /// Finds where the data of Exif and XMP are, and reads them.
    private mutating func details(in meta: Box) throws -> [Cleared] {
        let children = try boxes(in: meta.content.dropFirst(4))
        guard let names = children.first(where: { $0.kind == "iinf" }),
            let places = children.first(where: { $0.kind == "iloc" })
        else { throw Unreadable() }
        var items: [Int: String] = [:]
        let countLength = try integer(names.content.lowerBound, 1) == 0 ? 2 : 4
        for entry in try boxes(in: names.content.dropFirst(4 + countLength)) where entry.kind == "infe" {
            let version = try integer(entry.content.lowerBound, 1)
            guard version >= 2 else { throw Unreadable() }
            let idLength = version == 2 ? 2 : 4
            let id = try integer(entry.content.lowerBound + 4, idLength)
            items[id] = String(decoding: try bytes(entry.content.lowerBound + 6 + idLength, 4), as: UTF8.self)
        }
        let inside = children.first { $0.kind == "idat" }?.content
        var found: [Cleared] = []
        for (id, ranges) in try extents(places, inside) {
            guard let kind = items[id], ["Exif", "mime", "uri "].contains(kind) else { continue }
            // Of the description of the items, only what it has of their data becomes zeros.
            guard let ranges,
                ranges.allSatisfy({ range in !range.overlaps(meta.range) || inside?.contains(range) == true })
            else { throw Unreadable() }
            found += ranges.filter { !$0.isEmpty }.map { Cleared($0, isExif: kind == "Exif") }
            // Ranges of a file that lies may be many, and the same ones.
            var content: [UInt8] = []
            for range in ranges where content.count < Self.maximumDataLength {
                content += try data(range.lowerBound, min(range.count, Self.maximumDataLength - content.count))
            }
            if kind == "Exif", content.count > 4 {
                // The beginning says how many bytes come before the data.
                let start = 4 + content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                _ = note(exif: Array(content.dropFirst(min(start, content.count))))
            } else {
                details.formUnion(PhotoDetails(xmp: content))
            }
        }
        return found
    }

    /// Reads where items are; nil for one whose place is not in the file.
    private func extents(_ box: Box, _ inside: Range<Int>?) throws -> [(id: Int, ranges: [Range<Int>]?)] {
        var position = box.content.lowerBound
        func next(_ count: Int) throws -> Int {
            guard count <= 8, position + count <= box.content.upperBound else { throw Unreadable() }
            defer { position += count }
            // No file is so large that the first byte of eight is used.
            return try integer(position + max(0, count - 7), min(7, count))
        }
        let version = try next(1)
        _ = try next(3)
        let (lengths, bases) = (try next(1), try next(1))
        let (offsetLength, lengthLength, baseLength) = (lengths >> 4, lengths & 15, bases >> 4)
        let indexLength = version == 0 ? 0 : bases & 15
        var items: [(id: Int, ranges: [Range<Int>]?)] = []
        var extentCount = 0
        for _ in 0..<(try next(version < 2 ? 2 : 4)) {
            let id = try next(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try next(2) & 15
            let reference = try next(2)
            let base = try next(baseLength) + (method == 1 ? inside?.lowerBound ?? 0 : 0)
            var ranges: [Range<Int>] = []
            for _ in 0..<(try next(2)) {
                extentCount += 1
                guard extentCount <= Self.maximumExtentCount else { throw Unreadable() }
                _ = try next(indexLength)
                let start = base + (try next(offsetLength))
                let length = try next(lengthLength)
                guard start <= size, length <= size - start else { throw Unreadable() }
                ranges.append(start..<start + length)
            }
            let isHere = reference == 0 && (method == 0 || method == 1 && inside != nil)
            items.append((id, isHere ? ranges : nil))
        }
        return items
    }
}
