import FoundationEssentials
import PeerCore

@testable import RegionStore

extension ItemCoding {
    /// Returns a whole list as it is sent.
    static func encode(_ items: [some RegionItem], _ kind: ResourceKind) throws -> [UInt8] {
        Array(try SharedJSON.encode(items))
    }
}
