import FoundationEssentials
import RegionModel
import TrackFiles

/// A GPX file.
enum GPXBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        let reader = TrackFileReader(now: Date(timeIntervalSince1970: 1_780_000_000))
        guard let document = try? reader.read(Data(input), named: "fuzz") else { return }
        let first = try copy(of: document, by: reader)
        try require(
            first.waypoints.count == document.waypoints.count
                && first.plannedRoutes.map(\.coordinates.count) == document.plannedRoutes.map(\.coordinates.count)
                && first.savedRoutes.count == document.savedRoutes.count,
            "items change when they are written and read"
        )
        // Control characters, which XML has no place for, are lost once.
        let second = try copy(of: first, by: reader)
        try require(
            second.waypoints.map(\.label) == first.waypoints.map(\.label)
                && second.plannedRoutes.map(\.name) == first.plannedRoutes.map(\.name)
                && second.savedRoutes.map(\.name) == first.savedRoutes.map(\.name),
            "words change when they are written and read twice"
        )
    }

    private static func copy(
        of document: GPXDocument,
        by reader: TrackFileReader
    ) throws(BrokenInvariant) -> GPXDocument {
        let written = try requireSuccess("what was read cannot be written") { try GPXWriter.data(document) }
        return try requireSuccess("what was written cannot be read") { try reader.read(written, named: "fuzz") }
    }
}
