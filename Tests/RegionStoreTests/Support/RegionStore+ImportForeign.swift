import Foundation
import PeerCore

@testable import RegionStore

extension RegionStore {
    /// Imports the map of another program.
    @discardableResult
    func importForeign(
        at path: String,
        called fileName: String? = nil,
        as format: ForeignFormat,
        name: String? = nil,
        updating regionID: UUID? = nil,
        signed sign: ((_ map: ContentDigest) throws -> MapSignature?)? = nil
    ) throws -> StoredRegion {
        try prepareForeignMap(at: path, called: fileName, as: format, name: name)
            .store(updating: regionID, signed: sign)
    }
}
