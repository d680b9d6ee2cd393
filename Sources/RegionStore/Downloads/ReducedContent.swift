import FoundationEssentials
import MapFiles
import PeerStorage
import RegionModel

/// A region without some of its content.
private struct ReducedContent<Whole: RegionContent>: RegionContent {
    let whole: Whole
    let reducing: @Sendable (any RegionItems) -> any RegionItems

    func withItems<Result>(_ body: (any RegionItems) throws -> Result) throws -> Result {
        try whole.withItems { try body(reducing($0)) }
    }

    func openTiles() throws -> UntrustedDatabase? { try whole.openTiles() }

    func temporaryFile() throws -> OpenFile { try whole.temporaryFile() }
}

extension RegionContent {
    /// The region, with photos that say nothing of the camera, the place and the time; those that cannot be taken apart are left out.
    package var withoutPhotoDetails: any RegionContent { ReducedContent(whole: self) { BareItems(all: $0) } }

    /// The region without what concerns a person: recorded hikes, photos, times, and what someone has written.
    package var impersonal: any RegionContent { ReducedContent(whole: self) { ImpersonalItems(all: $0) } }
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
