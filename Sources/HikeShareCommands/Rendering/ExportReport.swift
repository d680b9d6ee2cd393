import FoundationEssentials
import RegionStore

/// The files that were written.
struct ExportReport: Report {
    var region: RegionSummary
    var files: [ExportFile]

    var payloads: [any Encodable & Sendable] {
        files.map { Payload(regionID: region.id.uuidString, content: $0.part.rawValue, file: $0.path) }
    }

    var text: DisplayText {
        files.map { "Wrote \($0.path)" }.joined(separator: "\n")
    }

    private struct Payload: Encodable {
        var type = "exported"
        var regionID: String
        var content: String
        var file: String
    }
}
