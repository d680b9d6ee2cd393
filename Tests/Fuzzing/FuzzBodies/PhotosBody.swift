import FoundationEssentials
import RegionStore

/// Photos of a stranger.
enum PhotosBody {
    static func run(_ input: [UInt8]) throws {
        try takeApart(input)
        let folder = DatabaseBody.folder
        let (name, copy) = ("hikeshare-fuzz-" + UUID().uuidString, "hikeshare-fuzz-" + UUID().uuidString)
        try Data(input).write(to: URL(filePath: folder + "/" + name))
        defer { for file in [name, copy] { try? FileManager.default.removeItem(atPath: folder + "/" + file) } }
        guard (try? UntrustedFile.rewritePhotos(in: folder, from: name, to: copy)) != nil else { return }
        let written = try Data(contentsOf: URL(filePath: folder + "/" + copy))
        try require(written == Data(input), "photos that are taken are not written as they were read")
    }

    /// The input as one photo: a copy without details has none, and is its own copy.
    private static func takeApart(_ input: [UInt8]) throws {
        guard let format = PhotoFormat(beginning: input) else { return }
        func copy(of bytes: [UInt8]) throws -> [UInt8]? {
            let photo = PhotoReader(format: format, size: bytes.count) { Array(bytes[$0]) }
            var copy: [UInt8] = []
            guard let bare = try photo.withoutDetails() else { return nil }
            try bare.forEachPiece { copy += $0 }
            try require(copy.count == bare.size, "a copy of a photo has another size than it says")
            return copy
        }
        guard let bare = try copy(of: input) else { return }
        try require(try copy(of: bare) == bare, "a copy of a copy of a photo is another one")
    }
}
