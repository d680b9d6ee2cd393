import ArgumentParser
import RegionStore
import SharingReports

/// The options that select a part of a map.
struct CutOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only the tiles along this hike or planned route: its name or a part of it, its number in 'show' (not for 'receive'), or a file of tracks; may be repeated.",
            valueName: "route"
        ),
        completion: .route
    )
    var along: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Distance from --along to each side (default: 2km).", valueName: "distance"),
        transform: Distance.init(parsing:)
    )
    var within: Distance?

    @Option(
        name: .long,
        help: ArgumentHelp("Only the tiles of an area, in degrees.", valueName: "west,south,east,north"),
        transform: AreaValue.init(parsing:)
    )
    var area: AreaValue?

    @Option(
        name: .long,
        help: ArgumentHelp("Only the tiles up to this zoom level.", valueName: "zoom")
    )
    var maxZoom: Int?

    /// Whether a part is selected.
    var isEmpty: Bool { along.isEmpty && area == nil && maxZoom == nil }

    func validate() throws {
        guard within == nil || !along.isEmpty else { throw ValidationError("--within needs --along ROUTE.") }
        guard maxZoom.map({ (0...30).contains($0) }) ?? true else {
            throw ValidationError("--max-zoom must be 0 to 30.")
        }
    }

    /// Makes the request for the selected part of what another machine offers; nil if no part is selected.
    func request(in store: RegionStore) throws -> PartRequest? {
        guard !isEmpty else { return nil }
        return try store.request(rule, along: along)
    }

    /// The rule without its lines.
    private var rule: CutRule {
        CutRule(within: within?.metres ?? CutRule.usualDistance, area: area?.box, maximumZoom: maxZoom)
    }

    /// Finds the selected lines; nil if no part is selected.
    func wish(for region: RegionSummary, in store: RegionStore) throws -> CutWish? {
        guard !isEmpty else { return nil }
        do {
            return try store.wish(rule, along: along, of: region)
        } catch var error as RegionStoreError
            where error.code != .notFound || !along.contains(where: RegionStore.isTrackFile)
        {
            let remedy = ProgramRemedy.forItem(error, of: region)
            error.remedy = [try guess(error, in: region, store), remedy].compactMap { $0 }.joined(separator: " ")
            throw error
        }
    }

    /// Returns the hike or planned route that a person may have meant; nil if none is like it.
    private func guess(_ error: RegionStoreError, in region: RegionSummary, _ store: RegionStore) throws -> String? {
        guard error.code == .notFound else { return nil }
        let names = try (store.items(.hike, of: region.id) + store.items(.plannedRoute, of: region.id)).map(\.name)
        let guess = along.lazy.compactMap { Misspelling.closest(to: $0, in: names.map { $0.lowercased() }) }.first
        return names.first { $0.lowercased() == guess }.map { "Did you mean “\($0)”?" }
    }
}

/// A distance, such as `2km`, `1.5 km` or `500m`.
struct Distance: Hashable {
    var metres: Double

    /// Reads what a person has typed.
    ///
    /// - Throws: `ValidationError` if it is no distance, or not in the range that is possible.
    init(parsing argument: String) throws {
        let text = argument.lowercased().filter { $0 != " " }.replacing(",", with: ".")
        let (number, unit) = text.hasSuffix("km") ? (text.dropLast(2), 1000.0) : (text.dropLast(), 1.0)
        guard text.hasSuffix("m"), let value = Double(number), value.isFinite else {
            throw ValidationError("Write the distance with its unit, such as 2km or 500m.")
        }
        guard CutRule.possibleDistances.contains(value * unit) else {
            throw ValidationError("The distance must be 50m to 100km.")
        }
        metres = value * unit
    }
}

/// An area as `west,south,east,north`, in degrees.
///
/// It crosses 180° if the east is less than the west.
struct AreaValue: Hashable {
    var box: BoundingBox

    /// Reads what a person has typed.
    ///
    /// - Throws: `ValidationError` if it is no area.
    init(parsing argument: String) throws {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.filter { $0 != " " })
        }
        let numbers = parts.compactMap { $0 }
        guard parts.count == 4, numbers.count == 4 else {
            throw ValidationError("Write the area as four numbers in degrees: west,south,east,north.")
        }
        guard numbers[1] < numbers[3], numbers[0] != numbers[2],
            let box = BoundingBox(north: numbers[3], south: numbers[1], east: numbers[2], west: numbers[0])
        else {
            throw ValidationError(
                "The order is west,south,east,north: longitudes are -180 to 180, latitudes -90 to 90, and the south is less than the north."
            )
        }
        self.box = box
    }
}
