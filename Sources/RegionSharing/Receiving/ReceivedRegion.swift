public import FoundationEssentials
public import PeerCore
package import RegionStore

/// A region that was received.
public struct ReceivedRegion: Sendable {
    /// The region.
    public var regionID: UUID
    /// Its name in this store.
    public var regionName: String
    /// Whether no other region in the store has the name.
    public var isOnlyOfName = true
    /// The sender's name for the region, if this store keeps another one.
    public var nameThere: String?
    /// Whether a part of the map was offered.
    public var isPart = false
    /// Whether the map is one of another program.
    public var isForeign = false
    /// An item that the sender has removed and this store still has, by which its kind and number are known; nil for none.
    package var removable: ItemDescription?
    /// What it has done to the map that the region had, and on which routes; nil if that is not known.
    package var change: (change: MapChange, routes: ChangedRoutes?)?
    /// Where its map is now; nil if that is not known.
    package var place: MapPlace?
    /// The name of another region with the same map; nil if there is none.
    public var twin: String?
    /// What was received.
    public var result: TransferReceiver.Result
}

extension ReceivedRegion {
    /// Creates the facts of an offered region, by what its store has now.
    init(
        _ region: Region,
        in store: RegionStore,
        change: (change: MapChange, routes: ChangedRoutes?)?,
        result: TransferReceiver.Result
    ) {
        let regions = (try? store.regions()) ?? []
        let stored = regions.first { $0.id == region.id }
        // The region may have another name in this store.
        let name = stored?.name ?? region.name
        self.init(regionID: region.id, regionName: name, result: result)
        isOnlyOfName = regions.filter { $0.name.lowercased() == name.lowercased() }.count == 1
        nameThere = name == region.name ? nil : region.name
        (isPart, isForeign, self.change) = (region.cut != nil, region.foreign != nil, change)
        place = stored.flatMap { $0.hasArea ? $0.place : nil }
        removable = store.removable(result.receipt, region)
        twin = regions.first { $0.id != region.id && $0.mapDigest == stored?.mapDigest }?.name
    }
}

extension RegionStore {
    /// Finds the first item that the sender has removed and this store still has.
    fileprivate func removable(_ receipt: TransferReceipt, _ region: Region) -> ItemDescription? {
        guard receipt.changes.contains(where: { $0.outcome == .removedBySender }) else { return nil }
        for edit in (try? offeredEdits(of: region)) ?? [] where edit.edit.name == nil {
            guard let kind = ItemKind.allCases.first(where: { $0.resourceKind == edit.edit.kind }) else { continue }
            let items = (try? items(kind, of: region.id)) ?? []
            if let item = items.first(where: { $0.id == edit.edit.id }) { return item }
        }
        return nil
    }
}
