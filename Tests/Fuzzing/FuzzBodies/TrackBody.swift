import FoundationEssentials
import TrackFiles

/// The points of a hike, compressed as they travel.
enum TrackBody {
    private static let limit = 10_000
    private static let start = Date(timeIntervalSince1970: 1_780_000_000)

    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        for startTime in [nil, start] {
            guard let points = try? TrackCodec.decode(Data(input), startTime: startTime, limit: limit) else { return }
            try require(points.count <= limit, "more points than allowed")
            let written = try requireSuccess("points that were read cannot be written") {
                try TrackCodec.encode(points, startTime: start)
            }
            let again = try requireSuccess("points that were written cannot be read") {
                try TrackCodec.decode(written, startTime: nil)
            }
            try require(again.map(\.coordinate) == points.map(\.coordinate), "places change when written and read")
            _ = TrackStatistics(Track(points: points))
        }
    }
}
