import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// Checks that a received resource has the content that the manifest describes.
struct ResourceValidator {
    var region: Region
    /// Where the map must be.
    var place: MapPlace
    /// How old the map is that the region has in the store; nil if there is none.
    var localEdition: MapEdition?
    var entry: ManifestEntry
    var path: String
    /// The limits on the check of a database with a size in bytes.
    var limits: @Sendable (_ size: UInt64) -> CheckLimits
    /// Returns whether the transfer has ended.
    var isCancelled: @Sendable () -> Bool

    /// Checks the content of the resource.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.refused` if the content is invalid, with
    ///   `RegionStoreError.Code.storage` if the check could not be completed; the resource may then be valid.
    func examine(_ file: OpenFile, _ arrivals: inout IncomingRegion.Arrivals) throws {
        do {
            try entry.kind.part?.examine(file, self, &arrivals)
        } catch var error as RegionStoreError where error.code == .invalidFile {
            // The file comes from the peer; no person on this machine has chosen it.
            error.code = .refused
            error.remedy = nil
            throw error
        } catch var error as RegionStoreError where error.code == .storage {
            error.remedy = [Self.isKept, error.remedy].compactMap { $0 }.joined(separator: " ")
            throw error
        }
    }

    private static let isKept = "Received data is kept; the next transfer only checks it."

    /// Opens a received database.
    func database(_ file: OpenFile) throws -> UntrustedDatabase {
        // With a log, a part of the content could be in a file that was not sent. A sender's snapshot has no log.
        guard try !DatabaseHeader(of: file, path: name).isWAL else { throw refusal("it is in WAL mode") }
        return try UntrustedDatabase(
            path,
            .immutable,
            called: name,
            within: limits(entry.size),
            isCancelled: isCancelled
        )
    }

    /// Checks that a received map is as old as was announced, and so as a person or a rule has seen.
    func check(_ edition: MapEdition) throws {
        guard !region.edition.isTrue(of: edition, comparedWith: localEdition) else { return }
        throw refusal(
            "its age is not that (\(edition.words ?? "no date") instead of \(region.edition.words ?? "no date"))"
        )
    }

    /// The name of the resource in messages.
    var name: String { "The received \(entry.kind.title)" }

    /// Returns the error for a resource that differs from the manifest.
    func refusal(_ why: String) -> RegionStoreError {
        RegionStoreError(.refused, "\(name) is not what was announced: \(why).")
    }
}
