import RegionStore

/// Where a map has tiles, as an offer says it.
enum CoverageBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let coverage = Coverage(bytes: input) else { return }
        try require(input.count <= Coverage.maximumLength, "too many bytes")
        let runs = coverage.levels.reduce(0) { $0 + $1.tiles.runs.count }
        try require(runs <= Coverage.maximumRunCount, "too many runs")
        let bytes = coverage.bytes
        try require(Coverage(bytes: bytes) == coverage, "the coverage changes when it is written and read")
        try require(bytes.count <= input.count, "the coverage becomes longer when it is written")
        guard let area = coverage.area else { throw BrokenInvariant("tiles without an area") }
        try require(!coverage.isApart(from: area), "the area has no tiles")
        try require(coverage.matches(coverage) && coverage.commonPart(with: coverage) == 1, "it differs from itself")
    }
}
