import PeerCore
import RegionStore

/// Where a sender can be reached, and what it has.
struct ListeningReport: Report {
    var local: LocalPeer
    var port: Int
    var addresses: [String]
    var regionID: String
    var regionName: String
    var size: UInt64
    var encryption: EncryptionPreference
    var isAdvertised: Bool
    var personal = PersonalContent()
    var link: PeerLink?

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                peerID: local.id.hex,
                name: local.displayName,
                port: port,
                addresses: addresses,
                regionID: regionID,
                regionName: regionName,
                size: size,
                encryption: encryption.rawValue,
                personal: PersonalPayload(personal),
                link: link?.text
            )
        ]
    }

    var text: DisplayText {
        var lines: [DisplayText] = [
            "Sending \(regionName), \(Wording.size(size)), as \(local.displayName) (\(local.id.short))"
        ]
        switch encryption {
        case .required: break
        case .optional: lines.append("Not encrypted if the other side asks for that (--encryption optional)")
        case .none: lines.append("NOT ENCRYPTED: anyone on this network can read and change the data")
        }
        if let words = personal.words { lines.append(words) }
        if isAdvertised { lines.append("On the other machine:  hikeshare receive") }
        let lead: DisplayText = isAdvertised ? "or, by address:        " : "On the other machine:  "
        for (index, address) in addresses.enumerated() {
            // Brackets mean something to a shell.
            let word: DisplayText = address.hasPrefix("[") ? "'\(address)'" : "\(address)"
            let command: DisplayText = index == 0 ? "\(lead)hikeshare receive --connect " : "--connect "
            lines.append(command.padded(to: Self.indentation, leading: true) + word)
        }
        if addresses.contains(where: { $0.contains("%") }) {
            lines.append(
                "(the name after % is an interface of this machine; use the name of the interface on the other machine)"
            )
        }
        if let link {
            lines.append("or, with the link:     hikeshare receive -")
            lines.append("\(link.text)")
            lines.append("Anyone with the link can receive \(regionName) without further questions, until you stop.")
        }
        return lines.joined(separator: "\n")
    }

    // As wide as the lead and the command.
    private static let indentation = 51

    private struct Payload: Encodable {
        var type = "listening"
        var peerID: String
        var name: String
        var port: Int
        var addresses: [String]
        var regionID: String
        var regionName: String
        var size: UInt64
        var encryption: String
        var personal: PersonalPayload
        var link: String?
    }
}

/// The name under which a sender can be found.
struct AdvertisedReport: Report {
    var name: String

    var payloads: [any Encodable & Sendable] { [Payload(name: name)] }
    var text: DisplayText { "Announced as \(name)" }

    private struct Payload: Encodable {
        var type = "advertised"
        var name: String
    }
}
