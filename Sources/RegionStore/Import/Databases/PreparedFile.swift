import FoundationEssentials
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// A copy of a file that was found to be in order.
struct PreparedFile<Checked: Sendable>: Sendable {
    var checked: Checked
    var contents: FileDigester.Result
    var stamp: FileStamp?

    func record(_ kind: ResourceKind, of regionID: UUID) -> RegionFileRecord {
        RegionFileRecord(regionID: regionID, kind: kind, contents: contents, stamp: stamp)
    }
}
