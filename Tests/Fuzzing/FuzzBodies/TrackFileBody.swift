import FoundationEssentials
import RegionModel
import TrackFiles

/// A file of tracks, of any format.
enum TrackFileBody {
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

    /// Runs a FIT file with the right checksum, without which nothing of it would be read.
    static func runFIT(_ input: [UInt8]) throws(BrokenInvariant) {
        try run(input)
        guard input.count > 16, input[0] == 12 || input[0] == 14 else { return }
        var bytes = Array(input.dropLast(2))
        let length = bytes.count - Int(bytes[0])
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
        }
        try run(bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)])
    }

    private static func copy(
        of document: TrackDocument,
        by reader: TrackFileReader
    ) throws(BrokenInvariant) -> TrackDocument {
        let written = try requireSuccess("what was read cannot be written") { try GPXWriter.data(document) }
        return try requireSuccess("what was written cannot be read") { try reader.read(written, named: "fuzz") }
    }
}
