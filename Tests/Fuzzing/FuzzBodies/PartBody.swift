import FoundationEssentials
import RegionStore

/// A receiver's request for a part of a map.
enum PartBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let request = try? CutRequest(parsing: Data(input)) else { return }
        try require(input.count <= CutRequest.maximumLength, "too many bytes")
        let points = request.lines.reduce(0) { $0 + $1.count }
        try require(points <= CutRequest.maximumPointCount, "too many points")
        guard let context = request.context else { return }
        let again = try requireSuccess("a request that was read cannot be read again") {
            try CutRequest(parsing: context)
        }
        try require(again == request, "the request changes when it is written and read")
    }
}
