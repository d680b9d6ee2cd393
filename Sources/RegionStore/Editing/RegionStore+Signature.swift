package import FoundationEssentials
import GRDB
package import PeerProtocol
import RegionModel

extension RegionStore {
    /// Removes the signature of a machine from the map of a region; that of another machine stays.
    package func removeSignature(by signer: PeerID, from regionID: UUID) throws -> Bool {
        try database.write { database in
            guard var record = try RegionRecord.fetchOne(regionID, database), record.signature?.signer == signer else {
                return false
            }
            record.signature = nil
            try record.update(database)
            return true
        }
    }
}
