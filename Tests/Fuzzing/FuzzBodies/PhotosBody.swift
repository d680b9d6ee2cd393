import FoundationEssentials
import RegionStore

/// Photos of a stranger.
enum PhotosBody {
    static func run(_ input: [UInt8]) throws {
        let folder = DatabaseBody.folder
        let (name, copy) = ("hikeshare-fuzz-" + UUID().uuidString, "hikeshare-fuzz-" + UUID().uuidString)
        try Data(input).write(to: URL(filePath: folder + "/" + name))
        defer { for file in [name, copy] { try? FileManager.default.removeItem(atPath: folder + "/" + file) } }
        guard (try? UntrustedFile.rewritePhotos(in: folder, from: name, to: copy)) != nil else { return }
        let written = try Data(contentsOf: URL(filePath: folder + "/" + copy))
        try require(written == Data(input), "photos that are taken are not written as they were read")
    }
}
