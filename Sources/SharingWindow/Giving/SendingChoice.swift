package import FoundationEssentials
package import PeerCore
package import RegionSharing
package import RegionStore
import SharingReports

/// What a person wants to send: which regions, and what of them.
package struct SendingChoice: Hashable, Sendable {
    /// The ids of the regions.
    package var regions: [UUID]
    /// The kinds of parts; nil for all.
    package var kinds: Set<ResourceKind>?
    /// The ids of the hikes and planned routes; empty for all.
    package var routes: Set<UUID> = []
    /// Whether values of sensors are part of the hikes.
    package var includesHealth = false
    /// Whether photos have what they say of the camera, the place and the time.
    package var includesPhotoDetails = true
    /// The part of the map; nil for the whole map.
    package var part: PartChoice?
    /// Whether items are sent that lie outside the part.
    package var includesOutside = false

    package init(_ regions: [UUID]) { self.regions = regions }

    /// The title of the work, such as “Sending” with what is sent.
    package func title(_ verb: String, in store: RegionStore) throws -> String {
        guard regions.count == 1, let id = regions.first else { return "\(verb) \(regions.count) maps" }
        let name = try store.region(id).name
        let title: DisplayText = part == nil ? "\(verb) \(name)" : "\(verb) a part of \(name)"
        return title.string
    }

    /// Prepares the offers, as the store has the regions now.
    package func offer(of store: RegionStore, for person: any Person) throws -> [SentRegion] {
        var wish = SendingWish()
        (wish.kinds, wish.routeIDs) = (kinds, routes)
        (wish.includesHealth, wish.includesPhotoDetails) = (includesHealth, includesPhotoDetails)
        (wish.includesOutside, wish.leavesOut) = (includesOutside, true)
        if let part { wish.cut = { try part.rule(for: $0, in: store) } }
        return try wish.offer(regions.map { try store.region($0) }, of: store, for: person)
    }
}
