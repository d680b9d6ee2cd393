import MapPages
import RegionStore

/// A hike, planned route or waypoint, as a page shows it.
struct SeenItem: Decodable {
    var kind: ItemKind
    var key: String
    var name: String

    /// Returns the item of a region, if it still has the name.
    func found(in region: RegionSummary, of store: RegionStore) throws -> ItemDescription {
        let item = try store.items(kind, of: region.id).first { ItemKey.text(of: $0.id) == key }
        guard let item, MapLimits.shownName(item.name) == name else {
            throw RegionStoreError(
                .conflict,
                "The \(kind.noun) “\(name)” changed or was removed in the meantime.",
                remedy: "Check the region, then try again."
            )
        }
        return item
    }
}
