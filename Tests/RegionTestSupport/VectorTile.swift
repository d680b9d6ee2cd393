/// A vector tile to be made for a test (Mapbox Vector Tile Specification 2.1), 4096 units wide.
package struct VectorTile: Sendable {
    /// The shape of a feature.
    package enum Shape: UInt64, Sendable {
        case point = 1
        case line = 2
        case area = 3
    }

    /// What is known of a feature.
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(UInt64)
        case flag(Bool)
    }

    /// A feature.
    ///
    /// Its places count from the north west. An area is closed by itself; its places go around clockwise.
    package struct Feature: Sendable {
        package var shape: Shape
        package var places: [(x: Int, y: Int)]
        package var facts: KeyValuePairs<String, Value>

        package init(_ shape: Shape, _ places: [(x: Int, y: Int)], _ facts: KeyValuePairs<String, Value>) {
            self.shape = shape
            self.places = places
            self.facts = facts
        }
    }

    private var layers: [UInt8] = []

    package init() {}

    /// The tile without compression.
    package var bytes: [UInt8] { layers }

    /// Adds a layer.
    package mutating func add(_ name: String, _ features: [Feature]) {
        var (keys, values): ([String], [Value]) = ([], [])
        func index<Element: Equatable>(_ element: Element, in list: inout [Element]) -> UInt64 {
            if let index = list.firstIndex(of: element) { return UInt64(index) }
            list.append(element)
            return UInt64(list.count - 1)
        }
        var layer = Self.field(1, Array(name.utf8))
        for feature in features {
            let tags = feature.facts.flatMap { [index($0.key, in: &keys), index($0.value, in: &values)] }
            let numbers = Self.geometry(feature)
            layer += Self.field(
                2,
                Self.field(2, tags.flatMap(Self.varint)) + Self.varint(3 << 3) + Self.varint(feature.shape.rawValue)
                    + Self.field(4, numbers.flatMap(Self.varint))
            )
        }
        for key in keys { layer += Self.field(3, Array(key.utf8)) }
        for value in values { layer += Self.field(4, Self.encoded(value)) }
        layer += Self.varint(5 << 3) + Self.varint(4096) + Self.varint(15 << 3) + Self.varint(2)
        layers += Self.field(3, layer)
    }

    /// Commands and the steps between places: move to the first, draw lines to the others, close an area.
    private static func geometry(_ feature: Feature) -> [UInt64] {
        func zigzag(_ number: Int) -> UInt64 { UInt64(bitPattern: Int64(number << 1 ^ number >> 63)) }
        var numbers: [UInt64] = [1 << 3 | 1]
        var last = (x: 0, y: 0)
        for (index, place) in feature.places.enumerated() {
            if index == 1 { numbers.append(UInt64(feature.places.count - 1) << 3 | 2) }
            numbers += [zigzag(place.x - last.x), zigzag(place.y - last.y)]
            last = place
        }
        return feature.shape == .area ? numbers + [1 << 3 | 7] : numbers
    }

    private static func encoded(_ value: Value) -> [UInt8] {
        switch value {
        case .text(let text): field(1, Array(text.utf8))
        case .number(let number): varint(5 << 3) + varint(number)
        case .flag(let flag): varint(7 << 3) + varint(flag ? 1 : 0)
        }
    }

    private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    private static func varint(_ number: UInt64) -> [UInt8] {
        var (bytes, rest): ([UInt8], UInt64) = ([], number)
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

extension VectorTile {
    /// A lake, a wood, a road, a track, a path, a peak, a hut and a village, each in the layers of every schema that pages know.
    package static let hike: VectorTile = {
        var tile = VectorTile()
        let lake = [(x: 2400, y: 400), (x: 3600, y: 400), (x: 3600, y: 1500), (x: 2400, y: 1500)]
        let wood = [(x: 200, y: 2400), (x: 1800, y: 2400), (x: 1800, y: 3900), (x: 200, y: 3900)]
        let (road, track) = ([(x: 0, y: 2100), (x: 4096, y: 2100)], [(x: 2200, y: 4000), (x: 3900, y: 2400)])
        let (path, contour) = (
            [(x: 300, y: 300), (x: 2000, y: 2000), (x: 3900, y: 3900)], [(x: 0, y: 700), (x: 4096, y: 700)]
        )
        let (peak, hut, village) = ([(x: 900, y: 900)], [(x: 2100, y: 3100)], [(x: 3000, y: 3400)])
        let name = Value.text("Seegrube")

        tile.add("water", [.init(.area, lake, ["class": .text("lake"), "kind": .text("lake")])])
        tile.add("water_polygons", [.init(.area, lake, ["kind": .text("water")])])
        tile.add("landcover", [.init(.area, wood, ["class": .text("wood"), "kind": .text("forest")])])
        tile.add("land", [.init(.area, wood, ["kind": .text("forest")])])
        tile.add("earth", [.init(.area, [(x: 0, y: 0), (x: 4096, y: 0), (x: 4096, y: 4096), (x: 0, y: 4096)], [:])])
        tile.add(
            "transportation",
            [
                .init(.line, road, ["class": .text("primary")]), .init(.line, track, ["class": .text("track")]),
                .init(.line, path, ["class": .text("path"), "subclass": .text("footway")]),
            ]
        )
        tile.add(
            "streets",
            [
                .init(.line, road, ["kind": .text("primary"), "tunnel": .flag(false)]),
                .init(.line, track, ["kind": .text("track")]), .init(.line, path, ["kind": .text("footway")]),
            ]
        )
        tile.add(
            "roads",
            [
                .init(.line, road, ["kind": .text("major_road"), "kind_detail": .text("primary")]),
                .init(.line, track, ["kind": .text("path"), "kind_detail": .text("track")]),
                .init(.line, path, ["kind": .text("path"), "kind_detail": .text("footway")]),
            ]
        )
        tile.add("contour", [.init(.line, contour, ["ele": .number(2000)])])
        tile.add("mountain_peak", [.init(.point, peak, ["class": .text("peak"), "name": name, "ele": .number(2269)])])
        tile.add(
            "pois",
            [
                .init(.point, peak, ["kind": .text("peak"), "natural": .text("peak"), "name": name]),
                .init(
                    .point,
                    hut,
                    ["kind": .text("alpine_hut"), "tourism": .text("alpine_hut"), "name": .text("Hut")]
                ),
            ]
        )
        tile.add("poi", [.init(.point, hut, ["subclass": .text("alpine_hut"), "name": .text("Hut")])])
        let facts: KeyValuePairs<String, Value> = [
            "class": .text("village"), "kind": .text("village"), "name": .text("Mühlau"),
        ]
        for layer in ["place", "place_labels"] { tile.add(layer, [.init(.point, village, facts)]) }
        tile.add(
            "places",
            [
                .init(
                    .point,
                    village,
                    ["kind": .text("locality"), "kind_detail": .text("village"), "name": .text("Mühlau")]
                )
            ]
        )
        return tile
    }()
}
