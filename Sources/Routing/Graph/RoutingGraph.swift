package import RegionModel

/// A routing database, read into memory.
package final class RoutingGraph: Sendable {
    /// The area of the nodes.
    package let bounds: BoundingBox
    /// The number of nodes.
    package var nodeCount: Int { 0 }
    /// The number of edges.
    package var edgeCount: Int { 0 }

    /// Reads an untrusted file.
    ///
    /// - Throws: `RegionStoreError` if it cannot be read, is no routing database, is too large, or has costs or edges that cannot be.
    package init(reading path: String) throws {
        bounds = .earth
    }

    /// Returns ways through places, the best first: one, or up to `count` if there are only two places.
    ///
    /// - Throws: `PlanningError`.
    package func ways(through places: [Coordinate], atMost count: Int = 3) throws -> [PlannedWay] { [] }
}
