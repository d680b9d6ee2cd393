import ArgumentParser
import RegionSharing
import RegionStore
import SharingReports

/// The options that select a part of a map.
struct CutOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the tiles along this hike or planned route: its name or a part of it, its number in 'show' (not for 'receive'), or a file of tracks; may be repeated.",
            valueName: "route"
        ),
        completion: .route
    )
    var along: [String] = []

    @Option(
        help: ArgumentHelp("Distance from --along to each side (default: 2km).", valueName: "distance"),
        transform: Distance.init(parsing:)
    )
    var within: Distance?

    @Option(
        help: ArgumentHelp("Only the tiles of an area, in degrees.", valueName: "west,south,east,north"),
        transform: AreaValue.init(parsing:)
    )
    var area: AreaValue?

    @Option(help: ArgumentHelp("Only the tiles up to this zoom level.", valueName: "zoom"))
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
    func request(in store: RegionStore) throws -> CutRequest? {
        guard !isEmpty else { return nil }
        return try rule.request(along: along, in: store)
    }

    /// The rule without its lines.
    private var rule: CutRule {
        CutRule(within: within?.metres ?? CutRule.usualDistance, area: area?.box, maximumZoom: maxZoom)
    }

    /// Finds the selected lines; nil if no part is selected.
    func rule(for region: RegionSummary, in store: RegionStore) throws -> CutRule? {
        guard !isEmpty else { return nil }
        do {
            return try rule.along(along, of: region, in: store)
        } catch var error as RegionStoreError
            where error.code != .notFound || !along.contains(where: CutRule.isTrackFile)
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
