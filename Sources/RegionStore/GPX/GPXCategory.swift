extension WaypointCategory {
    /// Returns the category for the type or symbol of a GPX waypoint.
    ///
    /// The type counts if it is the name of a category. Otherwise the symbol counts; the common symbols of Garmin are known.
    init(type: String, symbol: String) {
        self = Self.named(type) ?? Self.named(symbol) ?? Self.symbol(symbol) ?? Self.symbol(type) ?? .custom
    }

    private static func letters(_ text: String) -> String {
        String(decoding: text.prefix(100).lowercased().utf8.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }

    private static func named(_ text: String) -> WaypointCategory? {
        let wanted = letters(text)
        guard !wanted.isEmpty else { return nil }
        return allCases.first { letters($0.rawValue) == wanted || letters($0.displayName) == wanted }
    }

    private static func symbol(_ text: String) -> WaypointCategory? {
        switch letters(text) {
        case "trailhead", "trail", "signpost", "guidepost", "information", "tracback", "crossing":
            .trailMarker
        case "summit", "peak", "scenicarea", "scenicview", "vista", "mountain", "mountainpass", "overlook":
            .viewpoint
        case "drinkingwater", "watersource", "spring", "fountain", "waterhydrant", "well":
            .waterSource
        case "campground", "camp", "camping", "tent", "bivouac":
            .campsite
        case "dangerarea", "skullandcrossbones", "hazard", "warning", "caution":
            .danger
        case "restaurant", "fastfood", "pizza", "bar", "picnicarea", "cafe", "supermarket", "shoppingcenter":
            .food
        case "lodge", "lodging", "hotel", "hut", "cabin", "alpinehut", "wildernesshut", "building", "residence":
            .shelter
        case "parkingarea", "carpark", "trailheadparking", "car":
            .parking
        default:
            nil
        }
    }
}
