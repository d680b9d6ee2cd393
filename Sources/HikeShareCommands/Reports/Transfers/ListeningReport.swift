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

/// Where a sender can be reached after its network has changed.
struct NetworkReport: Report {
    /// What to do on a machine without a network.
    static let noNetwork: DisplayText =
        "This laptop is not on any network. Join the same Wi-Fi, or plug in a cable."

    var addresses: [String]
    var link: ShareLink?
    var isAdvertised: Bool

    var payloads: [any Encodable & Sendable] { [Payload(addresses: addresses, link: link?.text)] }

    var text: DisplayText {
        guard !addresses.isEmpty else { return Self.noNetwork }
        let commands = ReceiverCommands(addresses: addresses, link: link, isAdvertised: isAdvertised)
        return "The network has changed.\(link == nil ? "" : " The share link is a new one.")\n" + commands.text
    }

    private struct Payload: Encodable {
        var type = "network"
        var addresses: [String]
        var link: String?
    }
}

/// The commands for the other machine with which it reaches a sender.
struct ReceiverCommands {
    /// The addresses of the sender, the best first.
    var addresses: [String]
    var link: ShareLink?
    var isAdvertised: Bool

    /// The commands, and the share link.
    var text: DisplayText {
        var lines = [Table.render(ways)]
        if let link { lines.append("\(link.text)") }
        if shown.contains(where: Self.isLinkLocal) {
            lines.append(
                "(The name after % is an interface of this machine. Use the name of the interface on the other machine.)"
            )
        }
        return lines.joined(separator: "\n")
    }

    /// The addresses to type: a link-local one only if there is no other, because it is different on each machine.
    private var shown: [String] {
        let others = addresses.filter { !Self.isLinkLocal($0) }
        return others.isEmpty ? addresses : others
    }

    /// The commands, each with the words before it.
    private var ways: [[DisplayText]] {
        var commands: [(words: DisplayText, command: DisplayText)] = []
        if isAdvertised { commands.append(("", Self.usual(for: link))) }
        for (index, address) in shown.enumerated() {
            // A shell interprets brackets.
            let word: DisplayText = address.hasPrefix("[") ? "'\(address)'" : "\(address)"
            commands.append((index == 0 ? "or, by address:" : "", "hikeshare receive --connect \(word)"))
        }
        if link != nil { commands.append(("or, by share link:", "hikeshare receive -")) }
        return commands.enumerated().map { index, way in
            [index == 0 ? "On the other machine:" : way.words, way.command.styled(.command)]
        }
    }

    /// The command with which a receiver finds the sender; without the share link, it joins the sender's own network
    /// first.
    static func usual(for link: ShareLink?) -> DisplayText {
        link?.network == nil ? "hikeshare receive" : "hikeshare receive --join"
    }

    private static func isLinkLocal(_ address: String) -> Bool { address.contains("%") }
}
