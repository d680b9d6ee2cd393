import Foundation
package import PeerCore

/// What a sender offers, in a folder, so that another process can read it.
package struct Offer: ResourceSource {
    package let manifest: Manifest
    private let folder: String

    /// Writes what a source offers to a folder.
    package init(of source: some ResourceSource, in folder: String) throws {
        self.manifest = source.manifest
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try manifest.body.write(to: URL(fileURLWithPath: folder + "/manifest"))
        for entry in manifest.entries {
            let bytes: Data
            switch try source.content(of: entry) {
            case .file(let path): bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            case .bytes(let all): bytes = all
            }
            try bytes.write(to: URL(fileURLWithPath: folder + "/" + entry.kind.rawValue))
        }
    }

    /// Reads what was written to a folder.
    package init(in folder: String) throws {
        self.folder = folder
        self.manifest = try Manifest(parsing: Data(contentsOf: URL(fileURLWithPath: folder + "/manifest")))
    }

    package func bytes(of entry: ManifestEntry) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + entry.kind.rawValue)))
    }

    package func chunkDigests(of entry: ManifestEntry) throws -> [ContentDigest] {
        let bytes = try bytes(of: entry)
        return (0..<entry.layout.chunkCount).map { chunk in
            let range = entry.layout.byteRange(of: chunk..<chunk + 1)
            return ContentDigest(hashing: Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    package func content(of entry: ManifestEntry) throws -> ResourceContent {
        .file(path: folder + "/" + entry.kind.rawValue)
    }
}
