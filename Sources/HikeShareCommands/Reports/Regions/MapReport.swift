import FoundationEssentials
import RegionStore

/// The address at which maps are shown.
struct MapReport: Report {
    /// The region that the address shows; nil for the list of regions.
    var region: RegionSummary?
    /// The address, which has a secret.
    var url: String

    var payloads: [any Encodable & Sendable] {
        [Payload(regionID: region?.id.uuidString, regionName: region?.name, url: url)]
    }

    var text: DisplayText {
        guard let region else { return "The maps are at  \(url)" }
        return "The map of \(region.name) is at  \(url)"
    }

    private struct Payload: Encodable {
        var type = "map"
        var regionID: String?
        var regionName: String?
        var url: String
    }
}
