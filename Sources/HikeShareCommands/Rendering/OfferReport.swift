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
    /// The region of the same id that is here; nil if there is none.
    var local: RegionSummary?

    /// Whether the map that is here would go, although it shows another place than the one that is offered.
    ///
    /// An id is no secret: whoever ever got a region knows it, and can offer anything under it.
    var replacesAnotherPlace: Bool {
        guard let local, replacesMap else { return false }
        return !local.boundingBox.overlaps(region.boundingBox)
    }

    private var replacesMap: Bool {
        guard let local, let map = entries.first(where: { $0.kind == .mbtiles }) else { return false }
        return wanted.contains(.mbtiles) && map.digest != local.mapDigest
    }

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
                digits: digits?.digits,
                replaces: replacesMap ? local?.name : nil
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
        if let local { rows.append(["", "Here", fate(of: local)]) }
        let lead: DisplayText =
            "\(peer.title) at \(peer.address) offers \(DisplayText(quoting: region.name)); \(peer.securityWords)"
            + peer.trustWords
        return "\(lead)\n" + Table.render(rows)
    }

    /// What is asked.
    var question: DisplayText {
        guard let digits else { return "Receive it?" }
        return "Does the other screen show \(digits.text)? Receive it?"
    }

    private func fate(of local: RegionSummary) -> DisplayText {
        let name = DisplayText(quoting: local.name)
        guard replacesMap else { return "\(name) is here, and its map stays" }
        guard replacesAnotherPlace else { return "\(name); its map is replaced by this one" }
        return "\(name); ITS MAP OF ANOTHER PLACE, \(Wording.bounds(local.boundingBox)), IS REPLACED BY THIS ONE"
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
        var replaces: String?
    }
}
