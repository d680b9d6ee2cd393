import FoundationEssentials
import PeerProtocol

/// Checks that a resource which arrived is what the manifest says.
struct ResourceValidator {
    var region: Region
    /// Where it must lie.
    var area: BoundingBox
    var entry: ManifestEntry
    var path: String
    /// What the check of a database of so many bytes may cost.
    var limits: @Sendable (_ size: UInt64) -> CheckLimits
    /// Whether the transfer has ended meanwhile.
    var isCancelled: @Sendable () -> Bool

    /// Looks into the resource.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/refused`` if it is not what was announced, with
    ///   ``RegionStoreError/Code/storage`` if that could not be found out: then nothing is said against the resource.
    func examine(_ file: OpenFile, _ arrivals: inout RegionTransfer.Arrivals) throws {
        do {
            switch entry.kind {
            case .mbtiles: arrivals.map = try map(file)
            case .routing: try checkRouting(file)
            case .savedroutes: try check(SavedRoute.self, file) { arrivals.routes.see($0.name) }
            case .plannedroutes: try check(PlannedRoute.self, file) { arrivals.routes.see($0.name) }
            case .waypoints: try check(Waypoint.self, file) { _ in }
            case .photos: arrivals.photos = try PhotoArchive.entries(of: file, size: entry.size, called: name)
            default: break
            }
        } catch var error as RegionStoreError where error.code == .invalidFile {
            // It is the peer's file, not one that a person here chose.
            error.code = .refused
            error.remedy = nil
            throw error
        } catch var error as RegionStoreError where error.code == .storage {
            error.remedy = [Self.isKept, error.remedy].compactMap { $0 }.joined(separator: " ")
            throw error
        }
    }

    private static let isKept = "What has arrived is kept: the next transfer only checks it."

    private func map(_ file: OpenFile) throws -> MBTilesFile {
        let map = try MBTilesFile(checking: try database(file), .quick)
        guard region.zoomLevels.contains(map.zoomLevels.lowerBound),
            region.zoomLevels.contains(map.zoomLevels.upperBound)
        else {
            throw refusal(
                "its zooms are \(map.zoomLevels.lowerBound) to \(map.zoomLevels.upperBound), announced were "
                    + "\(region.zoomLevels.lowerBound) to \(region.zoomLevels.upperBound)"
            )
        }
        guard map.tileCount <= region.tileCount else {
            throw refusal("it has \(map.tileCount) tiles, announced were \(region.tileCount)")
        }
        // Not what it says of itself: that may be nonsense, which an import overlooks too.
        guard [map.boundingBox, map.tiledArea].allSatisfy(area.overlaps) else {
            throw refusal("it shows another area than was announced")
        }
        return map
    }

    private func checkRouting(_ file: OpenFile) throws {
        let graph = try RoutingFile(checking: try database(file), .quick)
        _ = try graph.checked(against: area, name)
    }

    private func database(_ file: OpenFile) throws -> UntrustedDatabase {
        // A part of its content could be in a log that was not sent; a sender's snapshot has none.
        guard try !DatabaseHeader(of: file, path: name).isWAL else { throw refusal("it is in WAL mode") }
        let limits = limits(entry.size)
        return try UntrustedDatabase(
            path,
            .immutable,
            called: name,
            seconds: limits.seconds,
            memory: limits.memory,
            isCancelled: isCancelled
        )
    }

    private func check<Item: RegionItem>(_ type: Item.Type, _ file: OpenFile, _ see: (Item) -> Void) throws {
        try ItemCoding.check(ItemCoding.reader(type, of: file, size: entry.size, called: name), entry.kind, see)
    }

    private var name: String { "The \(entry.kind.title) that was sent" }

    private func refusal(_ why: String) -> RegionStoreError {
        RegionStoreError(.refused, "\(name) is not what was announced: \(why).")
    }
}
