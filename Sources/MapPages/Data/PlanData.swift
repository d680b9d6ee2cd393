internal import FoundationEssentials
internal import RegionStore
package import Routing

/// The ways that were planned through some places, for the map that draws them.
package struct PlanData: Encodable {
    private struct Part: Encodable {
        /// A ``WayKind``.
        var kind: String
        var distance: Double
    }

    private struct Hardest: Encodable {
        var sacScale: SACScale.RawValue?
        var visibility: TrailVisibility.RawValue?
        /// The length of all that is as hard, in metres.
        var distance: Double
    }

    private struct Way: Encodable {
        var distance: Double
        var ascent: Double
        var descent: Double
        /// The estimated time, in seconds.
        var duration: Double?
        /// Of each segment, latitudes and longitudes in turn.
        var segments: [[Double]]
        /// Distance, elevation, latitude and longitude of each sample.
        var profile: [[Double]]?
        var isStraight: Bool
        /// What it consists of, the longest first.
        var parts: [Part]
        var hardest: Hardest?

        init(_ way: PlannedWay) {
            let route = way.route(called: "", id: UUID(), of: UUID(), at: Date(timeIntervalSince1970: 0))
            let line = LineData(route, limits: MapLine.Limits(lines: 1))
            (distance, ascent, descent, duration) = (line.distance, line.ascent, line.descent, line.duration)
            (segments, profile, isStraight) = (line.segments, line.profile, way.isStraight)
            parts = way.composition.map { Part(kind: $0.kind.rawValue, distance: $0.metres) }
            hardest = way.hardest.map { hardest in
                let alike = way.stretches.filter {
                    $0.sacScale == hardest.sacScale && $0.visibility == hardest.visibility
                }
                return Hardest(
                    sacScale: hardest.sacScale?.rawValue,
                    visibility: hardest.visibility?.rawValue,
                    distance: alike.reduce(0) { $0 + $1.distance }
                )
            }
        }
    }

    private struct Problem: Encodable {
        var kind: String
        /// The position in the list of places.
        var place: Int
        var distance: Double
        /// Where the ways end.
        var reached: [Double]?
    }

    private var ways: [Way] = []
    private var problem: Problem?
    private var hasGraph = true
    private var leavesMap = false

    /// Describes ways.
    ///
    /// - Parameters:
    ///   - hasGraph: Whether the region has a routing database.
    ///   - leavesMap: Whether a way goes beyond the tiles of the region.
    package init(_ ways: [PlannedWay], hasGraph: Bool, leavesMap: Bool) {
        self.ways = ways.map(Way.init)
        (self.hasGraph, self.leavesMap) = (hasGraph, leavesMap)
    }

    /// Describes why there is no way; nil if there are too few places.
    package init?(_ error: PlanningError) {
        switch error {
        case .tooFar(let place, let metres): problem = Problem(kind: "tooFar", place: place, distance: metres)
        case .noWay(let place, let reached, let metres):
            let end = [reached.latitude.short, reached.longitude.short]
            problem = Problem(kind: "noWay", place: place, distance: metres, reached: end)
        case .tooFewPlaces: return nil
        }
    }
}
