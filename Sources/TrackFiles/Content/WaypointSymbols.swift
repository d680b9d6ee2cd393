package import RegionModel

/// The categories of symbols: those of Garmin, and the icons of OsmAnd, Gaia GPS and other programs, as far as hikers use them.
enum WaypointSymbols {
    /// Returns the category of a symbol; nil if the symbol is not known.
    static func category(_ symbol: String) -> WaypointCategory? {
        var name = letters(symbol)[...]
        if let category = categories[String(name)] { return category }
        // OsmAnd and others name icons by the tags of OpenStreetMap, such as tourism_alpine_hut.
        for key in keys where name.hasPrefix(key) {
            name = name.dropFirst(key.count)
            break
        }
        return categories[String(name)]
    }

    /// Returns the letters of a name in lower case; digits, spaces and punctuation do not count.
    static func letters(_ text: String) -> String {
        String(decoding: text.prefix(100).lowercased().utf8.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }

    private static let keys = [
        "tourism", "amenity", "natural", "manmade", "highway", "information", "leisure", "shop", "special",
        "historic", "hazard",
    ]

    private static let categories: [String: WaypointCategory] = {
        let lists: [(WaypointCategory, [String])] = [
            (.trailMarker, trailMarkers), (.viewpoint, viewpoints), (.waterSource, waters), (.campsite, campsites),
            (.danger, dangers), (.food, foods), (.shelter, shelters), (.parking, parkings),
        ]
        return Dictionary(lists.flatMap { category, names in names.map { ($0, category) } }) { first, _ in first }
    }()

    private static let trailMarkers = [
        "trailhead", "trail", "trailmarker", "signpost", "sign", "guidepost", "routemarker", "marker", "information",
        "informationboard", "board", "map", "infopoint", "tracback", "tracbackpoint", "crossing", "bridge",
        "footbridge", "tunnel", "gate", "stile", "ford", "hikinghiker", "hiking", "hiker", "path", "footway", "cairn",
        "junction", "intersection", "waymark", "milestone", "visitorcenter", "visitorcentre", "visitorsinformation",
        "rangerstation",
    ]

    private static let viewpoints = [
        "summit", "peak", "mountain", "mountains", "mountainpeak", "top", "volcano", "scenicarea", "scenicview",
        "scenic", "vista", "overlook", "viewpoint", "view", "panorama", "observationtower", "towerobservation",
        "talltower", "shorttower", "tower", "mountainpass", "pass", "saddle", "col", "ridge", "summitcross",
        "wayside", "waysidecross", "triangulationpoint", "surveypoint", "elevationmarker", "highpoint", "binoculars",
        "waterfall", "glacier", "attraction", "lookout", "lookouttower", "falls",
    ]

    private static let waters = [
        "drinkingwater", "potablewater", "water", "watersource", "watertap", "tap", "spring", "fountain",
        "waterhydrant", "well", "waterwell", "waterpoint", "wateringplace", "wateringhole",
    ]

    private static let campsites = [
        "campground", "camp", "campsite", "camping", "campingsite", "camppitch", "caravansite", "rvpark", "tent",
        "bivouac", "bivy", "campfire", "firepit", "wildcamp", "backcountrycampsite",
    ]

    private static let dangers = [
        "dangerarea", "danger", "dangerous", "skullandcrossbones", "skull", "hazard", "warning", "caution", "alert",
        "restrictedarea", "restricted", "controlledarea", "noentry", "avalanche", "avalancheterrain", "rockfall",
        "rockslide", "rocks", "landslide", "cliff", "crevasse", "minefield", "quicksand", "bear", "snake",
        "lightning", "obstacle", "obstruction",
    ]

    private static let foods = [
        "restaurant", "fastfood", "pizza", "bar", "bars", "dining", "pub", "cafe", "coffee", "coffeeshop",
        "diningroom", "food", "foodsource", "foodcourt", "biergarten", "beergarden", "icecream", "bakery", "butcher",
        "supermarket", "convenience", "conveniencestore", "grocery", "grocerystore", "shop", "shopping",
        "shoppingcart", "shoppingcenter", "shoppingcentre", "departmentstore", "generalstore", "farm", "farmshop",
        "dairy", "picnic", "picnicarea", "picnicsite", "picnictable", "snackbar", "drinks", "winery", "brewery",
        "vendingmachine", "resupply",
    ]

    private static let shelters = [
        "lodge", "lodging", "hotel", "motel", "hostel", "guesthouse", "inn", "chalet", "bedandbreakfast", "apartment",
        "hut", "mountainhut", "alpinehut", "wildernesshut", "cabin", "cottage", "refuge", "refugio", "rifugio",
        "shelter", "leanto", "basichut", "lodginghut", "building", "house", "residence", "home", "bothy",
        "weathershelter", "bivouachut", "rest", "restarea",
    ]

    private static let parkings = [
        "parking", "parkingarea", "parkinglot", "carpark", "car", "trailheadparking", "parkingspace",
        "parkingbicycle", "bicycleparking", "parkride", "parkandride", "parkinggarage",
    ]
}

extension WaypointCategory {
    /// Finds the category by the type, symbol or icon of a waypoint: its own name, or one of ``WaypointSymbols``.
    package init(type: String, symbol: String, icon: String = "") {
        self =
            Self.named(type) ?? Self.named(symbol) ?? WaypointSymbols.category(symbol) ?? WaypointSymbols.category(icon)
            ?? WaypointSymbols.category(type) ?? .custom
    }

    private static func named(_ text: String) -> WaypointCategory? {
        let wanted = WaypointSymbols.letters(text)
        guard !wanted.isEmpty else { return nil }
        return allCases.first {
            WaypointSymbols.letters($0.rawValue) == wanted || WaypointSymbols.letters($0.displayName) == wanted
        }
    }
}
