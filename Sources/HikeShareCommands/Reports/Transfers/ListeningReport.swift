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
        case .none: lines.append("\("NOT ENCRYPTED", .alarm): anyone on this network can read and change the data")
        }
        if let words = personal.words { lines.append(words) }
        guard !addresses.isEmpty else { return (lines + [NetworkReport.noNetwork]).joined(separator: "\n") }
        if !ways.isEmpty { lines.append(Table.render(ways)) }
        if let link { lines.append("\(link.text)") }
        if addresses.contains(where: { $0.contains("%") }) {
            lines.append(
                "(The name after % is an interface of this machine. Use the name of the interface on the other machine.)"
            )
        }
        if link != nil {
            lines.append("Anyone with the link can receive \(regionName) without further questions, until you stop.")
        }
        return lines.joined(separator: "\n")
    }

    /// The commands for the other machine, each with the words before it.
    private var ways: [[DisplayText]] {
        var commands: [(words: DisplayText, command: DisplayText)] = isAdvertised ? [("", "hikeshare receive")] : []
        for (index, address) in addresses.enumerated() {
            // A shell interprets brackets.
            let word: DisplayText = address.hasPrefix("[") ? "'\(address)'" : "\(address)"
            commands.append((index == 0 ? "or, by address:" : "", "hikeshare receive --connect \(word)"))
        }
        if link != nil { commands.append(("or, with the link:", "hikeshare receive -")) }
        return commands.enumerated().map { index, way in
            [index == 0 ? "On the other machine:" : way.words, way.command.styled(.command)]
        }
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
