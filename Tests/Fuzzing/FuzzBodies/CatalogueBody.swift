import FoundationEssentials
import PeerProtocol
import RegionModel

/// The list of a sender with several regions, as it comes over the wire.
enum CatalogueBody {
    static func run(_ input: [UInt8]) throws(BrokenInvariant) {
        guard let catalogue = try? Catalogue(parsing: Data(input)) else { return }
        let count = catalogue.ids.count
        try require(Set(catalogue.ids).count == count, "an id twice")
        try require(
            catalogue.unreadableCount >= 0
                && count + catalogue.unreadableCount <= ProtocolLimits.standard.maximumCatalogueCount,
            "too many offers"
        )
        let regions = catalogue.regions
        let ids = regions.map(\.id)
        try require(Set(ids).count == ids.count && Set(ids).isSubset(of: catalogue.ids), "a region that is not listed")
        // A list as long as the longest one can grow when its numbers are written in another form.
        guard input.count <= ProtocolLimits.standard.maximumCatalogueLength / 4 else { return }
        let again = try requireSuccess("regions that were read cannot be offered") { try Catalogue(regions) }
        try require(again.regions.map(\.id) == ids, "the list changes when it is written and read")
    }
}
