package import PeerCore
import RegionSharing
package import RegionStore

extension DiscoveredPeer {
    private static let maximumRegionNameWidth = 40

    /// The region that it sends, and the size.
    package var offer: [DisplayText] {
        [
            DisplayText(escaping: info.regionName ?? "").truncated(to: Self.maximumRegionNameWidth) + others,
            "\(info.size.map { Wording.size($0) } ?? "")",
        ]
    }

    /// How many regions it offers besides.
    private var others: DisplayText { info.offerCount.map { " and \($0 - 1) more" } ?? "" }

    /// What people here call it: `Anna (trusted)`, or `“Ben” (new)`.
    ///
    /// The name is not cut, because `receive` may need it whole; an announcement holds at most 63 bytes of it. Its id is a claim,
    /// which the connection to it proves or refutes.
    package func title(among trustedPeers: [TrustedPeer]) -> DisplayText {
        if let friend = trustedPeers.first(where: { $0.id == peerID }) { return "\(friend.name) (trusted)" }
        let name = DisplayText(quoting: displayName, width: 63)
        guard let friend = trustedPeers.first(where: { PeerName.areAlike($0.name, displayName) }) else {
            return "\(name) (new)"
        }
        return "\(name) (\("NOT your trusted", .alarm) \(DisplayText(quoting: friend.name)))"
    }

    /// What people here call it, and what it sends, in one line.
    package func line(among trustedPeers: [TrustedPeer]) -> DisplayText {
        let what: DisplayText = info.regionName.map { ", sending \(DisplayText(quoting: $0))" } ?? ""
        let size: DisplayText = info.size.map { ", \(Wording.size($0))" } ?? ""
        return title(among: trustedPeers) + what + size
    }
}

extension RemotePeer {
    /// The machine at the other end in JSON.
    package var json: JSONObject {
        let trustedName: String? = if case .trusted(let name) = trust { name } else { nil }
        return [
            "id": id.hex,
            "name": displayName,
            "address": address,
            "encrypted": security != .plainText,
            "trustedAs": trustedName,
            "admittedByShareLink": isAdmittedByShareLink ? true : nil,
        ]
    }

    /// The name that a trusted peer has here, or else the one that the peer has chosen, between quotation marks.
    package var name: DisplayText {
        if isTrusted, case .trusted(let name) = trust { return "\(name)" }
        return displayName.isEmpty ? "Unnamed machine" : DisplayText(quoting: displayName, width: 24)
    }

    /// The name and what is known of the peer: `Anna (trusted)`, `“Ben” (new)`.
    ///
    /// The id stands only where a name is imitated: `hikeshare peers` shows the id of the trusted peer.
    package var title: DisplayText {
        let link: DisplayText = isAdmittedByShareLink ? "by the share link" : ""
        if case .impostor(let friend) = trust {
            // A share link names a key, so this peer is accepted. But it is not the trusted machine whose name it uses.
            let warning: DisplayText = "\("NOT your trusted", .alarm) \(DisplayText(quoting: friend)): \(id.short)"
            return "\(name) (\(link.isEmpty ? warning : "\(link), \(warning)"))"
        }
        if isTrusted { return "\(name) (trusted)" }
        guard link.isEmpty else { return "\(name) (\(link))" }
        // In plain text, nothing proves who it is.
        return security == .plainText ? "\(name) (not proven)" : "\(name) (new)"
    }

    /// A loud warning if the connection is not encrypted, or what a trusted peer has forgotten; empty for neither.
    package func warning(hasDigits: Bool) -> DisplayText {
        if security == .plainText {
            return ".\n\("NOT ENCRYPTED", .alarm): anyone on this network can read and change the data"
        }
        return isTrusted && hasDigits ? ".\n\(name) does not know this laptop any more, so compare digits again" : ""
    }
}
