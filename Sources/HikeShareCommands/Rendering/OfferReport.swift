import FoundationEssentials
import PeerCore
import RegionStore

/// What a sender offers, before anything of it is here.
struct OfferReport: Report {
    var peer: RemotePeer
    var region: Region
    var entries: [ManifestEntry]
    var wanted: Set<ResourceKind>
    var digits: PairingDigits?

    /// The size of what is wanted.
    var size: UInt64 {
        entries.filter { wanted.contains($0.kind) }.reduce(0) { $0 + $1.size }
    }

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                peer: PeerPayload(peer),
                regionID: region.id.uuidString,
                regionName: region.name,
                bounds: region.boundingBox,
                minimumZoom: region.zoomLevels.lowerBound,
                maximumZoom: region.zoomLevels.upperBound,
                tiles: region.tileCount,
                createdAt: region.createdAt,
                resources: entries.map {
                    .init(kind: $0.kind.rawValue, size: $0.size, wanted: wanted.contains($0.kind))
                },
                size: size,
                digits: digits?.digits
            )
        ]
    }

    var text: DisplayText {
        var rows: [[DisplayText]] = [
            ["", "Area", "\(Wording.extent(region.boundingBox)), \(Wording.bounds(region.boundingBox))"],
            ["", "Map", "\(Wording.zoomWords(region.zoomLevels)), \(Wording.count(region.tileCount, "tile"))"],
            ["", "Parts", parts(entries.filter { wanted.contains($0.kind) })],
        ]
        let unwanted = entries.filter { !wanted.contains($0.kind) }
        if !unwanted.isEmpty { rows.append(["", "Left out", parts(unwanted)]) }
        rows.append(["", "Total", "\(Wording.size(size))"])
        let lead: DisplayText =
            "\(peer.title) at \(peer.address) offers \(region.name); \(peer.securityWords)"
            + peer.trustWords
        return "\(lead)\n" + Table.render(rows)
    }

    /// What is asked.
    var question: DisplayText {
        guard let digits else { return "Receive it?" }
        return "Does the other screen show \(digits.text)? Receive it?"
    }

    private func parts(_ entries: [ManifestEntry]) -> DisplayText {
        entries.map { "\($0.kind.words) \(Wording.size($0.size))" }.joined(separator: ", ")
    }

    private struct Payload: Encodable {
        struct Resource: Encodable {
            var kind: String
            var size: UInt64
            var wanted: Bool
        }

        var type = "offer"
        var peer: PeerPayload
        var regionID: String
        var regionName: String
        var bounds: BoundingBox
        var minimumZoom: Int
        var maximumZoom: Int
        var tiles: Int
        var createdAt: Date
        var resources: [Resource]
        var size: UInt64
        var digits: String?
    }
}
