package import FoundationEssentials
public import PeerCore
public import RegionStore

/// What to send of regions.
public struct SendingWish: Sendable {
    /// The kinds; nil for all.
    public var kinds: Set<ResourceKind>?
    /// The hikes and planned routes, by name or number; empty for all.
    public var routes: [String] = []
    /// The ids of hikes and planned routes that are sent besides those of ``routes``; without any of both, all are sent.
    package var routeIDs: Set<UUID> = []
    /// Finds the part of the map of a region; nil for the whole map.
    package var cut: @Sendable (RegionSummary) throws -> CutRule? = { _ in nil }
    /// Whether values of sensors are part of the hikes.
    public var includesHealth = false
    /// Whether photos have what they say of the camera, the place and the time.
    public var includesPhotoDetails = true
    /// Whether items are sent that lie outside the part.
    public var includesOutside = false
    /// Whether regions that cannot be sent this way are skipped.
    public var leavesOut = false

    /// Creates a wish for everything.
    public init() {}

    /// Prepares the offers of regions.
    ///
    /// - Throws: `RegionStoreError` if a region cannot be sent so; if such regions are left out, if there is no other one.
    public func offer(_ regions: [RegionSummary], of store: RegionStore, for person: any Person) throws -> [SentRegion]
    {
        var sent: [SentRegion] = []
        var first: RegionStoreError?
        for region in regions {
            do {
                sent.append(try offer(region, of: store, for: person))
            } catch let error as RegionStoreError where leavesOut && regions.count > 1 {
                first = first ?? error
                person.tell(.sending(.leftOut(region, error)))
            }
        }
        if let first, sent.isEmpty { throw first }
        return sent
    }

    private func offer(_ region: RegionSummary, of store: RegionStore, for person: any Person) throws -> SentRegion {
        let named = try store.routes(matching: routes, of: region.id)
        let selection =
            routeIDs.isEmpty ? named : RouteSelection(named: named.names ?? [], ids: routeIDs.union(named.ids))
        let cut = try cut(region)
        // Before the source, so that a change in between is noticed.
        let watch = try RegionWatch(region.id, in: store)
        let source = try person.cutting(region) { report in
            try store.source(
                for: region.id,
                kinds: kinds,
                routes: selection,
                includeHealth: includesHealth,
                includePhotoDetails: includesPhotoDetails,
                includeOutside: includesOutside,
                cut: cut,
                progress: report
            )
        }
        let withheld = source.personal.withheldPhotos
        if withheld > 0 { person.tell(.sending(.withheldPhotos(withheld))) }
        person.tell(.sending(.outside(source, receiver: nil)))
        let wantsRouting = kinds?.contains(.routing) != false && region.hasRoutingData
        if wantsRouting, source.manifest.entry(of: .routing) == nil { person.tell(.sending(.missingRouting(region))) }
        return SentRegion(region: region, source: source, watch: watch)
    }
}

extension Person {
    /// Tells how far a part of the map of a region is made, while `body` makes it.
    func cutting<Result>(
        _ region: RegionSummary,
        for receiver: RemotePeer? = nil,
        _ body: ((Int64, Int64) -> Void) throws -> Result
    ) rethrows -> Result {
        defer { tell(.sending(.cutting(region, for: receiver, bytes: nil))) }
        return try body { tell(.sending(.cutting(region, for: receiver, bytes: ($0, $1)))) }
    }
}
