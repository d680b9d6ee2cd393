import FoundationEssentials
package import MapFiles
package import PeerStorage
import RegionModel

/// A region without what concerns a person: recorded hikes, photos, times, and what someone has written.
package struct ImpersonalContent: RegionContent {
    private let content: any RegionContent

    /// Describes what is left of a region.
    package init(of content: any RegionContent) {
        self.content = content
    }

    package func withItems<Result>(_ body: (any RegionItems) throws -> Result) throws -> Result {
        try content.withItems { try body(ImpersonalItems(all: $0)) }
    }

    package func openTiles() throws -> UntrustedDatabase? { try content.openTiles() }

    package func temporaryFile() throws -> OpenFile { try content.temporaryFile() }
}

private struct ImpersonalItems: RegionItems {
    var all: any RegionItems

    var region: RegionSummary {
        var region = all.region
        region.hikeCount = 0
        region.photoCount = 0
        region.photoSize = 0
        return region
    }

    var photoIDs: Set<UUID> { [] }

    func forEachHike(_ body: (SavedRoute) throws -> Void) -> Int { 0 }

    func forEachPlannedRoute(_ body: (PlannedRoute) throws -> Void) throws -> Int {
        try all.forEachPlannedRoute { try body($0.withoutPersonalParts()) }
    }

    func forEachWaypoint(_ body: (Waypoint) throws -> Void) throws -> Int {
        try all.forEachWaypoint { try body($0.withoutPersonalParts()) }
    }

    func photo(of waypointID: UUID) -> PhotoReader? { nil }
}
