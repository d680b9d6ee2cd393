package import FoundationEssentials
import GRDB
import RegionModel

extension RegionStore {
    /// The maximum number of items that a message lists.
    private static let maximumListCount = 20

    /// Returns the descriptions of a region's items, in the order of their numbers.
    package func items(_ kind: ItemKind, of regionID: UUID) throws -> [ItemDescription] {
        try database.read { try ItemDescription.fetchAll(kind, of: regionID, $0) }
    }

    /// Finds an item of a region by a text that a person has typed.
    ///
    /// The text can be the name of the item, its number, or the beginning of its id. Case is ignored. The first of these that
    /// matches any item decides.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if no item matches,
    ///   `RegionStoreError.Code.ambiguous` if several do; the message lists their numbers, and their lengths or positions.
    package func item(matching text: String, _ kind: ItemKind, of region: RegionSummary) throws -> ItemDescription {
        let candidates = ItemQuery(text).matches(try items(kind, of: region.id))
        guard let only = candidates.first else { throw Self.noItem(text, kind, "“\(region.name)”") }
        guard candidates.count == 1 else {
            let list = Self.list(candidates.map { "\($0.number) (\($0.distinction))" })
            throw RegionStoreError(
                .ambiguous,
                "“\(region.name)” has \(candidates.count) \(kind.pluralNoun) called “\(only.name)”: \(list).",
                remedy: "Use the number instead of the name."
            )
        }
        return only
    }

    /// Finds a waypoint by a text that a person has typed, in one region or in all.
    ///
    /// - Parameters:
    ///   - text: The name of the waypoint, or the beginning of its id; within one region also its number.
    ///   - regionID: The region; nil for all regions.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if no waypoint matches,
    ///   `RegionStoreError.Code.ambiguous` if several do; the message lists them.
    package func waypoint(
        matching text: String,
        of regionID: UUID?
    ) throws -> (region: RegionSummary, item: ItemDescription) {
        if let regionID {
            let region = try region(regionID)
            return (region, try item(matching: text, .waypoint, of: region))
        }
        let all = try regions().flatMap { region in
            try items(.waypoint, of: region.id).map { (region: region, item: $0) }
        }
        let candidates = ItemQuery(text).matches(all) { $0.item }
        guard let only = candidates.first else { throw Self.noItem(text, .waypoint, "this store") }
        guard candidates.count == 1 else {
            let list = Self.list(
                candidates.map { "\($0.item.number) in “\($0.region.name)” (\($0.item.distinction))" }
            )
            throw RegionStoreError(
                .ambiguous,
                "“\(text)” matches \(candidates.count) waypoints: \(list).",
                remedy: "Name the region, and use the number instead of the name."
            )
        }
        return only
    }

    /// Selects hikes and planned routes of a region by texts that a person has typed.
    ///
    /// A text that is the name of no hike or planned route can be the number of one, or a part of the name of only one.
    package func routes(matching texts: [String], of regionID: UUID) throws -> RouteSelection {
        guard !texts.isEmpty else { return .all }
        let all = try items(.hike, of: regionID) + items(.plannedRoute, of: regionID)
        var names: [String] = []
        var ids: Set<UUID> = []
        for text in texts {
            let matches = ItemQuery(text).matchesPartly(all)
            let isName = matches.contains { $0.name.lowercased() == text.lowercased() }
            if !isName, matches.count == 1 {
                ids.insert(matches[0].id)
            } else {
                names.append(text)
            }
        }
        return RouteSelection(named: names, ids: ids)
    }

    private static func noItem(_ text: String, _ kind: ItemKind, _ place: String) -> RegionStoreError {
        RegionStoreError(
            .notFound,
            "There is no \(kind.noun) “\(text)” in \(place).",
            remedy: "List the \(kind.pluralNoun) of the region to see their names and numbers."
        )
    }

    private static func list(_ entries: [String]) -> String {
        let more = entries.count - maximumListCount
        return entries.prefix(maximumListCount).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
