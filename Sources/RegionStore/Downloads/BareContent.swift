import FoundationEssentials
package import MapFiles
package import PeerStorage
import RegionModel

/// A region whose photos do not say anything of the camera, the place and the time.
package struct BareContent: RegionContent {
    private let content: any RegionContent

    /// Describes a region with such copies of its photos; those that cannot be taken apart are left out.
    package init(of content: any RegionContent) {
        self.content = content
    }

    package func withItems<Result>(_ body: (any RegionItems) throws -> Result) throws -> Result {
        try content.withItems { try body(BareItems(all: $0)) }
    }

    package func openTiles() throws -> UntrustedDatabase? { try content.openTiles() }

    package func temporaryFile() throws -> OpenFile { try content.temporaryFile() }
}

private struct BareItems: RegionItems {
    var all: any RegionItems

    var region: RegionSummary { all.region }

    var photoIDs: Set<UUID> { get throws { try all.photoIDs } }

    func forEachHike(_ body: (SavedRoute) throws -> Void) throws -> Int { try all.forEachHike(body) }

    func forEachPlannedRoute(_ body: (PlannedRoute) throws -> Void) throws -> Int { try all.forEachPlannedRoute(body) }

    func forEachWaypoint(_ body: (Waypoint) throws -> Void) throws -> Int { try all.forEachWaypoint(body) }

    func photo(of waypointID: UUID) throws -> PhotoReader? { try all.photo(of: waypointID)?.withoutDetails() }
}
