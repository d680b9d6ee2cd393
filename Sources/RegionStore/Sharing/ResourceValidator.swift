import FoundationEssentials
import PeerProtocol

/// Checks that a resource which arrived is what the manifest says.
struct ResourceValidator {
    var region: Region
    /// Where it must lie.
    var area: BoundingBox
    var entry: ManifestEntry
    var path: String
    /// What the check of a database of so many bytes may cost.
    var limits: @Sendable (_ size: UInt64) -> CheckLimits
    /// Whether the transfer has ended meanwhile.
    var isCancelled: @Sendable () -> Bool

    /// Looks into the resource.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/refused`` if it is not what was announced, with
    ///   ``RegionStoreError/Code/storage`` if that could not be found out: then nothing is said against the resource.
    func examine(_ file: OpenFile, _ arrivals: inout IncomingRegion.Arrivals) throws {
        do {
            try entry.kind.part?.examine(file, self, &arrivals)
        } catch var error as RegionStoreError where error.code == .invalidFile {
            // It is the peer's file, not one that a person here chose.
            error.code = .refused
            error.remedy = nil
            throw error
        } catch var error as RegionStoreError where error.code == .storage {
            error.remedy = [Self.isKept, error.remedy].compactMap { $0 }.joined(separator: " ")
            throw error
        }
    }

    private static let isKept = "Received data is kept; the next transfer only checks it."

    /// Opens a database that arrived.
    ///
    /// - Throws: ``RegionStoreError`` if it is none.
    func database(_ file: OpenFile) throws -> UntrustedDatabase {
        // A part of its content could be in a log that was not sent; a sender's snapshot has none.
        guard try !DatabaseHeader(of: file, path: name).isWAL else { throw refusal("it is in WAL mode") }
        let limits = limits(entry.size)
        return try UntrustedDatabase(
            path,
            .immutable,
            called: name,
            seconds: limits.seconds,
            memory: limits.memory,
            isCancelled: isCancelled
        )
    }

    /// What messages call the resource.
    var name: String { "The received \(entry.kind.title)" }

    /// Returns the error for a resource that is not what the manifest says.
    func refusal(_ why: String) -> RegionStoreError {
        RegionStoreError(.refused, "\(name) is not what was announced: \(why).")
    }
}
