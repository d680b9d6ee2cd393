import Foundation
import RegionStore

extension RegionStore {
    /// Imports a routing database for a region, together with the map that the region has.
    @discardableResult
    func importRouting(
        at path: String,
        into regionID: UUID,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> RegionSummary {
        let map = path + ".map"
        try exportMap(of: regionID, to: map)
        defer { try? FileManager.default.removeItem(atPath: map) }
        return try importMap(at: map, routing: path, updating: regionID, progress: progress).region
    }
}
