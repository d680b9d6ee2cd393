import FoundationEssentials
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage

/// The file of a map whose b-tree is walked.
///
/// The first byte is the first page of the table, the next one the column of the tiles; the rest is the file.
enum TilesBody {
    static func run(_ input: [UInt8]) throws {
        guard input.count > 2 else { return }
        let bytes = Array(input.dropFirst(2))
        let path = DatabaseBody.folder + "/hikeshare-fuzz-" + UUID().uuidString
        try Data(bytes).write(to: URL(filePath: path))
        defer {
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: path + ".tiles")
        }
        let table = TileTable(
            rootPage: UInt32(input[0]),
            dataColumn: Int(input[1] & 7),
            addressColumns: [0, 1, 2]
        )
        let digest = ContentDigest(hashing: [1])
        let output = try OpenFile(path + ".tiles", O_RDWR | O_CREAT)
        guard try TileIndex.write(to: output, of: OpenFile(path, O_RDONLY), table, digest: digest) else { return }
        let index = TileIndex(output, of: digest)
        try require(index != nil, "an index that was written is not read")
        var end: UInt64 = 0
        try index?.scan { span in
            try require(span.offset >= end, "two spans overlap")
            var (position, left) = (span.offset, UInt64(span.length))
            while left > 0 {
                let run = index?.shape.run(from: position, length: left) ?? 0..<0
                try require(!run.isEmpty && run.upperBound <= UInt64(bytes.count), "a span leaves the file")
                (position, left) = (run.upperBound, left - UInt64(run.count))
            }
            end = position
        }
    }
}
