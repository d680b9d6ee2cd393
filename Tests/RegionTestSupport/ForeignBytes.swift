package import FoundationEssentials

/// Files of other map programs, written by the descriptions of their formats: headers, and bytes that stand for the rest.
package enum ForeignBytes {
    /// 2026-08-24T00:00:00Z.
    package static let day = Date(timeIntervalSince1970: 1_787_529_600)

    private static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        bigEndian(value, count).reversed()
    }

    package static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func text(_ text: String) -> [UInt8] { varint(UInt64(text.utf8.count)) + Array(text.utf8) }

    /// Bytes that look like those of a map: no two pieces are equal.
    private static func filling(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// A map of Mapsforge of Andorra.
    package static func mapsforge(
        comment: String? = "Map data © OpenStreetMap contributors",
        rest: Int = 1000
    ) -> [UInt8] {
        func degrees(_ value: Double) -> [UInt8] {
            bigEndian(UInt64(UInt32(bitPattern: Int32((value * 1e6).rounded()))), 4)
        }
        var tail = bigEndian(UInt64(day.timeIntervalSince1970) * 1000, 8)
        for value in [42.4, 1.4, 42.7, 1.8] { tail += degrees(value) }
        tail += bigEndian(256, 2) + text("Mercator")
        tail += [comment == nil ? 0x74 : 0x7C] + degrees(42.5) + degrees(1.5) + [14] + text("en,fr")
        if let comment { tail += text(comment) }
        tail += text("mapsforge-map-writer 0.21.0")
        let mark = Array("mapsforge binary OSM".utf8)
        let size = mark.count + 16 + tail.count + rest
        return mark + bigEndian(UInt64(tail.count + 12), 4) + bigEndian(5, 4) + bigEndian(UInt64(size), 8) + tail
            + filling(rest)
    }

    /// A map of OsmAnd with a coarse level that reaches farther than the map.
    package static func osmand(rest: Int = 1000, hasLongLengths: Bool = false) -> [UInt8] {
        func length(_ count: Int) -> [UInt8] {
            hasLongLengths ? bigEndian(UInt64(count) | 1 << 63, 8) : bigEndian(UInt64(count), 4)
        }
        func part(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] { varint(field << 3 | 6) + length(bytes.count) + bytes }
        func level(_ zooms: (UInt64, UInt64), _ box: [UInt64]) -> [UInt8] {
            let numbers = [zooms.0, zooms.1] + box
            let head = zip(UInt64(1)..., numbers).flatMap { varint($0 << 3) + varint($1) }
            return part(5, head + part(7, [8, 0]))
        }
        // 1.40625° to 1.7578125° E and 42.29° to 42.55° N, at zoom level 10, as positions of zoom level 31.
        let fine = level((21, 15), [516, 517, 378, 379].map { UInt64($0) << 21 })
        let coarse = level((8, 5), [500, 600, 300, 400].map { UInt64($0) << 21 })
        let rules = varint(4 << 3 | 2) + text("rule of a tag")
        let map = varint(2 << 3 | 2) + text("Andorra_europe") + rules + fine + coarse + part(9, filling(rest))
        return varint(1 << 3) + varint(2) + varint(18 << 3) + varint(UInt64(day.timeIntervalSince1970) * 1000)
            + part(7, filling(20)) + part(6, map) + varint(32 << 3) + varint(2)
    }

    /// A map of Organic Maps of 0° to 90° E and 0° to about 66.5° N.
    package static func organicMaps(version: UInt64 = UInt64(day.timeIntervalSince1970), rest: Int = 1000) -> [UInt8] {
        func zigzag(_ x: UInt64, _ y: UInt64) -> UInt64 {
            var bits: UInt64 = 0
            for place in UInt64(0)..<31 {
                bits |= (x >> place & 1) << (2 * place) | (y >> place & 1) << (2 * place + 1)
            }
            return bits << 1
        }
        let half: UInt64 = 1 << 29
        let header =
            varint(30) + varint(zigzag(half, half) >> 1) + varint(zigzag(half, half))
            + varint(zigzag(half + half / 2, half + half / 2)) + varint(0) + varint(0) + varint(4)
        let sections = [
            ("dat", filling(rest)), ("header", header), ("version", Array("MWM\0".utf8) + varint(10) + varint(version)),
        ]
        var (body, list) = ([UInt8](), varint(UInt64(sections.count)))
        for (name, bytes) in sections {
            list += text(name) + varint(UInt64(8 + body.count)) + varint(UInt64(bytes.count))
            body += bytes
        }
        return littleEndian(UInt64(8 + body.count), 8) + body + list
    }

    /// A map of Garmin with two parts, one of them in a group.
    package static func garmin(key: UInt8 = 0, name: String = "Andorra Topo", rest: Int = 1000) -> [UInt8] {
        let block = 1024
        func put(_ bytes: [UInt8], _ offset: Int, _ file: inout [UInt8]) {
            if file.count < offset + bytes.count {
                file += [UInt8](repeating: 0, count: offset + bytes.count - file.count)
            }
            file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        func edges(_ degrees: [Double]) -> [UInt8] {
            degrees.flatMap { value in
                littleEndian(UInt64(UInt32(bitPattern: Int32((value / 360 * 16_777_216).rounded()))), 3)
            }
        }
        var file = [UInt8](repeating: 0, count: 8 * block)
        put(Array("DSKIMG\0".utf8), 0x10, &file)
        put(littleEndian(2026, 2) + [8, 24, 0, 0, 0], 0x39, &file)
        put([8] + Array("GARMIN\0\0".utf8), 0x40, &file)
        let padded = Array(name.utf8.prefix(50)) + [UInt8](repeating: 0x20, count: max(0, 50 - name.utf8.count))
        put(Array(padded.prefix(20)), 0x49, &file)
        put([9, 1], 0x61, &file)
        put(Array(padded.dropFirst(20)) + [0], 0x65, &file)
        put([0x55, 0xAA], 0x1FE, &file)
        func entry(_ number: Int, _ name: String, _ type: String, size: Int, block: Int) {
            let offset = (3 + number) * 512
            put([1] + Array(name.utf8) + Array(type.utf8), offset, &file)
            put(littleEndian(UInt64(size), 4), offset + 12, &file)
            put(littleEndian(UInt64(block), 2) + [0xFF, 0xFF], offset + 32, &file)
        }
        // Two unused entries come first, then the one that says where the list ends.
        put([1] + [UInt8](repeating: 0x20, count: 11) + littleEndian(6 * 512, 4), 3 * 512, &file)
        entry(1, "63240001", "TRE", size: 200, block: 4)
        entry(2, "63240002", "GMP", size: 300, block: 5)
        put(edges([42.6, 1.6, 42.4, 1.4]), 4 * block + 0x15, &file)
        put(littleEndian(0x40, 4), 5 * block + 0x19, &file)
        put(edges([42.7, 1.8, 42.5, 1.5]), 5 * block + 0x40 + 0x15, &file)
        put(filling(rest), 6 * block, &file)
        file[0] = 0
        return [key] + file.dropFirst().map { $0 ^ key }
    }
}
