import PeerCore
import RegionStore

/// The region that a sender offers, and how to reach the sender.
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
    var link: ShareLink?

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
        case .none: lines.append("\("NOT ENCRYPTED", .alarm): anyone on this network can read and change the data")
        }
        if let words = personal.words { lines.append(words) }
        guard !addresses.isEmpty else { return (lines + [NetworkReport.noNetwork]).joined(separator: "\n") }
        lines.append(ReceiverCommands(addresses: addresses, link: link, isAdvertised: isAdvertised).text)
        if link != nil {
            lines.append(
                "Anyone with the share link can receive \(regionName) without further questions, until you stop."
            )
        }
        return lines.joined(separator: "\n")
    }

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

/// The name that discovery announces for a sender.
struct AdvertisedReport: Report {
    var name: String

    var payloads: [any Encodable & Sendable] { [Payload(name: name)] }
    var text: DisplayText { "Announced as \(name)" }

    private struct Payload: Encodable {
        var type = "advertised"
        var name: String
    }
}
