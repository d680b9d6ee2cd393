package import PeerCore
package import RegionStore

/// Other machines.
extension Report where Self == PlainReport {
    /// The senders nearby, one a line.
    package static func senders(_ peers: [DiscoveredPeer]) -> Self {
        let header: [DisplayText] = ["NAME", "SENDS", "SIZE", "ADDRESS"]
        let rows = peers.map { peer in
            [DisplayText(escaping: peer.displayName)] + peer.offer + ["\(peer.addressTexts.first ?? "")"]
        }
        let lines = peers.map { peer -> JSONObject in
            [
                "type": "peer",
                "id": peer.peerID?.hex,
                "name": peer.displayName,
                "regionName": peer.info.regionName,
                "size": peer.info.size,
                "encryption": peer.info.encryption?.rawValue,
                "software": peer.info.software,
                "addresses": peer.addressTexts,
            ]
        }
        return Self(lines: lines, peers.isEmpty ? "" : TextTable.render([header] + rows, trailing: [2]))
    }

    /// This machine, those that it trusts, and the phones to which a person has given names.
    package static func machines(
        _ id: PeerID,
        called name: String,
        trusting peers: [TrustedPeer],
        phones: [ConfirmedPhone] = []
    ) -> Self {
        let this: DisplayText =
            "You are \(name). To change it:  \("hikeshare peers name NAME", .command)\nYour id:  \(id.hex)"
        let header: [DisplayText] = ["NAME", "ID", "TRUSTED SINCE", "LAST SEEN"]
        let rows = peers.map { peer -> [DisplayText] in
            [
                "\(peer.name)", "\(peer.id.short)", "\(Wording.time(peer.pinnedAt))",
                "\(peer.lastSeenAt.map { Wording.time($0) } ?? "never")",
            ]
        }
        let phoneHeader: [DisplayText] = ["PHONE (LOCALSEND)", "CALLS ITSELF", "KNOWN SINCE", "LAST SEEN"]
        let phoneRows = phones.map { phone -> [DisplayText] in
            [
                "\(phone.name)", DisplayText(quoting: phone.alias, width: 24), "\(Wording.time(phone.confirmedAt))",
                "\(Wording.time(phone.seenAt))",
            ]
        }
        let tables = [([header] + rows), ([phoneHeader] + phoneRows)].filter { $0.count > 1 }
        return Self(
            lines: [["type": "thisMachine", "id": id.hex, "name": name]] + peers.map { $0.json("trustedPeer") }
                + phones.map { $0.json("phone") },
            ([this] + tables.map { TextTable.render($0) }).joined(separator: "\n\n")
        )
    }

    /// A machine is trusted from now on.
    package static func trusted(_ peer: TrustedPeer) -> Self {
        Self(
            peer.json("trusted"),
            "Now trusted: \(peer.name). Next time there are no digits, and sending asks nothing."
        )
    }

    /// A machine is no longer trusted.
    package static func forgotten(_ peer: TrustedPeer) -> Self {
        Self(peer.json("forgotten"), "No longer trusted: \(peer.name)")
    }

    /// A phone has no name here any more.
    package static func forgotten(_ phone: ConfirmedPhone) -> Self {
        Self(phone.json("forgottenPhone"), "Forgotten: the phone \(phone.name)")
    }

    /// A trusted machine has another name.
    package static func renamed(_ peer: TrustedPeer, from name: String) -> Self {
        Self(peer.json("renamed", formerName: name), "\(name) is now called \(peer.name)")
    }
}

extension ConfirmedPhone {
    fileprivate func json(_ type: String) -> JSONObject {
        ["type": type, "id": id.hex, "name": name, "alias": alias, "confirmedAt": confirmedAt, "lastSeenAt": seenAt]
    }
}

extension TrustedPeer {
    fileprivate func json(_ type: String, formerName: String? = nil) -> JSONObject {
        [
            "type": type,
            "id": id.hex,
            "name": name,
            "formerName": formerName,
            "pinnedAt": pinnedAt,
            "lastSeenAt": lastSeenAt,
        ]
    }
}
