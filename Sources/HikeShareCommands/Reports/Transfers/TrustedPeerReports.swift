import FoundationEssentials
import PeerCore
import RegionStore

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
