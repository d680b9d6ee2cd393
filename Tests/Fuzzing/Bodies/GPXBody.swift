import FoundationEssentials
import RegionStore

/// A GPX file.
enum GPXBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        let reader = GPXReader(now: Date(timeIntervalSince1970: 1_780_000_000))
        guard let document = try? reader.read(Data(input), named: "fuzz") else { return }
        let written = try requireSuccess("what was read cannot be written") { try GPXWriter().data(document) }
        let again = try requireSuccess("what was written cannot be read") { try reader.read(written, named: "fuzz") }
        try require(
            again.waypoints.map(\.label) == document.waypoints.map(\.label)
                && again.plannedRoutes.map(\.name) == document.plannedRoutes.map(\.name)
                && again.plannedRoutes.map(\.coordinates.count) == document.plannedRoutes.map(\.coordinates.count)
                && again.savedRoutes.map(\.name) == document.savedRoutes.map(\.name),
            "items change when they are written and read"
        )
    }
}
