import PeerCore

/// The senders nearby, one for each line.
struct PeerListReport: Report {
    var peers: [DiscoveredPeer]

    var payloads: [any Encodable & Sendable] {
        peers.map { peer in
            Payload(
                id: peer.peerID?.hex,
                name: peer.displayName,
                regionName: peer.info.regionName,
                size: peer.info.size,
                encryption: peer.info.encryption?.rawValue,
                software: peer.info.software,
                addresses: peer.addressTexts
            )
        }
    }

    var text: DisplayText {
        guard !peers.isEmpty else { return "" }
        let header: [DisplayText] = ["NAME", "ID", "SENDS", "SIZE", "ADDRESS"]
        return Table.render([header] + peers.map { $0.row + ["\($0.addressTexts.first ?? "")"] }, trailing: [3])
    }

    private struct Payload: Encodable {
        var type = "peer"
        var id: String?
        var name: String
        var regionName: String?
        var size: UInt64?
        var encryption: String?
        var software: String?
        var addresses: [String]
    }
}

extension DiscoveredPeer {
    private static let maximumRegionNameWidth = 40

    /// Name, short id, region, size.
    ///
    /// The name is not cut, because `receive` may need it whole; an announcement holds at most 63 bytes of it.
    var row: [DisplayText] {
        [
            DisplayText(escaping: displayName),
            "\(peerID?.short ?? "")",
            DisplayText(escaping: info.regionName ?? "").truncated(to: Self.maximumRegionNameWidth),
            "\(info.size.map { Wording.size($0) } ?? "")",
        ]
    }

    /// The name and what it sends, in one line.
    var title: DisplayText {
        let id: DisplayText = peerID.map { " (\($0.short))" } ?? ""
        let what: DisplayText = info.regionName.map { ", sending \(DisplayText(quoting: $0))" } ?? ""
        let size: DisplayText = info.size.map { ", \(Wording.size($0))" } ?? ""
        return DisplayText(quoting: displayName) + id + what + size
    }
}
