import RegionModel

/// The icons of the styles of a KML file.
struct KMLStyles {
    private static let maximumCount = 1000
    private static let maximumLength = 200

    private var icons: [String: String] = [:]
    private var maps: [String: String] = [:]

    /// Keeps the icon of a style.
    mutating func setIcon(_ icon: String, of id: String) {
        guard !id.isEmpty, icons.count < Self.maximumCount else { return }
        icons[Self.id(id)] = icon
    }

    /// Keeps the style that a map of styles has for a placemark that is not pointed at.
    mutating func setStyle(_ address: String, of map: String) {
        guard !map.isEmpty, maps.count < Self.maximumCount else { return }
        maps[Self.id(map)] = Self.id(address)
    }

    /// Returns the icon of a style; empty if it is not known.
    func icon(_ address: String) -> String {
        let id = Self.id(address)
        return icons[maps[id] ?? id] ?? ""
    }

    // Cut by bytes: a single character may be as long as the text, and hashing it takes the square of that.
    private static func id(_ address: String) -> String {
        let name = address.utf8.split(separator: UInt8(ascii: "#")).last ?? address.utf8[...]
        return String(decoding: name.prefix(maximumLength).filter { $0 > 0x20 }, as: UTF8.self)
    }

    /// Returns the name of the icon at an address if it says what a place is, such as `campground`; otherwise empty.
    static func symbol(_ address: String) -> String {
        let name = TrackTexts.cut(address, to: 1000).split(separator: "/").last ?? ""
        let stem = name.split(whereSeparator: { ".?&".contains($0) }).first ?? ""
        return WaypointSymbols.category(String(stem)) == nil ? "" : String(stem)
    }
}
