import FoundationEssentials
import PeerCore
import RegionStore

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

/// The machine at the other end in JSON.
struct PeerPayload: Encodable {
    var id: String
    var name: String
    var address: String
    var encrypted: Bool
    var trustedAs: String?
    var admittedByShareLink: Bool?

    init(_ peer: RemotePeer) {
        id = peer.id.hex
        name = peer.displayName
        address = peer.address
        encrypted = peer.security != .plainText
        if case .trusted(let name) = peer.trust { trustedAs = name }
        if peer.admittedByShareLink { admittedByShareLink = true }
    }
}

extension RemotePeer {
    /// The name and the id: `“Brave Marmot” (3f9a-12cd-07be-55a1)`.
    ///
    /// In plain text, nothing proves the id, so the text says that it is only claimed.
    var title: DisplayText {
        let name: DisplayText = displayName.isEmpty ? "Unnamed machine" : DisplayText(quoting: displayName)
        return security == .plainText ? "\(name) (claims to be \(id.short))" : "\(name) (\(id.short))"
    }

    /// Whether the peer is trusted and has proved its id.
    var isTrusted: Bool {
        if case .trusted = trust { security.certifiedID == id } else { false }
    }

    /// The reason why the peer is accepted without a question, if there is one; or a warning.
    var trustWords: DisplayText {
        // A share link names a key, so this peer is accepted. But it is not the trusted machine whose name it uses.
        if case .impostor(let name) = trust {
            return
                "\(admittedByShareLink ? ", by the share link" : ""), \("NOT your trusted", .alarm) \(DisplayText(quoting: name))"
        }
        if admittedByShareLink { return ", by the share link" }
        guard isTrusted, case .trusted(let name) = trust else { return "" }
        return name == displayName ? ", trusted" : ", trusted as \(DisplayText(quoting: name))"
    }

    /// Whether the connection is encrypted; a loud warning if it is not.
    var securityWords: DisplayText {
        switch security {
        case .encrypted: "encrypted"
        case .plainText: "\("NOT ENCRYPTED", .alarm): anyone on this network can read and change the data"
        }
    }
}

/// This machine and its trusted machines.
struct TrustedPeerListReport: Report {
    var id: PeerID
    var name: String
    var peers: [TrustedPeer]

    var payloads: [any Encodable & Sendable] {
        [ThisMachine(id: id.hex, name: name)] + peers.map { TrustedPeerPayload("trustedPeer", $0) }
    }

    var text: DisplayText {
        let this: DisplayText = "This machine: \(name)\n\(id.hex)"
        guard !peers.isEmpty else { return this }
        let header: [DisplayText] = ["NAME", "ID", "TRUSTED SINCE", "LAST SEEN"]
        let rows = peers.map { peer -> [DisplayText] in
            [
                "\(peer.name)", "\(peer.id.short)", "\(Wording.time(peer.pinnedAt))",
                "\(peer.lastSeenAt.map { Wording.time($0) } ?? "never")",
            ]
        }
        return this + "\n\n" + Table.render([header] + rows)
    }

    private struct ThisMachine: Encodable {
        var type = "thisMachine"
        var id: String
        var name: String
    }
}

/// A change of a trusted machine.
struct TrustedPeerChangeReport: Report {
    /// The kind of change.
    enum Change: Hashable {
        case trusted
        case forgotten
        case renamed(from: String)
    }

    var change: Change
    var peer: TrustedPeer

    var payloads: [any Encodable & Sendable] {
        switch change {
        case .trusted: [TrustedPeerPayload("trusted", peer)]
        case .forgotten: [TrustedPeerPayload("forgotten", peer)]
        case .renamed(let name): [TrustedPeerPayload("renamed", peer, formerName: name)]
        }
    }

    var text: DisplayText {
        switch change {
        case .trusted: "Now trusted: \(peer.name) (\(peer.id.short))"
        case .forgotten: "No longer trusted: \(peer.name) (\(peer.id.short))"
        case .renamed(let name): "\(name) (\(peer.id.short)) is now called \(peer.name)"
        }
    }
}

/// A trusted machine in JSON.
private struct TrustedPeerPayload: Encodable {
    var type: String
    var id: String
    var name: String
    var formerName: String?
    var pinnedAt: Date
    var lastSeenAt: Date?

    init(_ type: String, _ peer: TrustedPeer, formerName: String? = nil) {
        self.type = type
        self.id = peer.id.hex
        self.name = peer.name
        self.formerName = formerName
        self.pinnedAt = peer.pinnedAt
        self.lastSeenAt = peer.lastSeenAt
    }
}
