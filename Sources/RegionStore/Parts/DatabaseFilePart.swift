import MapFiles
import PeerProtocol
import RegionModel

/// A part that is an SQLite file in the region's folder.
protocol DatabaseFilePart: FilePart {
    /// Makes the check that receivers make.
    func check(_ database: UntrustedDatabase) throws
}

extension DatabaseFilePart {
    func checkOffered(_ path: String, size: UInt64) throws {
        try check(
            UntrustedDatabase(path, .immutable, called: "The \(title)", for: .read, within: .receiving(size: size))
        )
    }

    /// Checks that a file is large enough to be an SQLite database.
    func checkSize(_ entry: ManifestEntry) throws {
        // An SQLite database has at least one page, and the smallest has 512 bytes.
        guard entry.size >= 512 else {
            throw ManifestValidator.refusal("the \(title) has \(entry.size) bytes")
        }
    }
}
