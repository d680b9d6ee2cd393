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
    /// Whether everyone is accepted without a question.
    var acceptsAll = false
    /// Whether the sender stops after the first complete transfer.
    var stopsAfterFirst = false
    var link: ShareLink?
    /// The code of the share link, which stands beside the text; nil for the text alone.
    var code: QRCodeSheet?
    /// The number of columns for the code and the text.
    var columns = 80

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
        guard let code, let link else { return (heading + ways + conditions).joined(separator: "\n") }
        let column = (heading + [""] + waysInAColumn + conditions + ["Ctrl-C stops."]).joined(separator: "\n")
        return code.text(beside: column, columns: columns) + "\n\(link.text)"
    }

    private var heading: [DisplayText] {
        let head: [DisplayText] = ["Sending \(regionName), \(Wording.size(size))", "You are \(local.displayName)"]
        return switch encryption {
        case .required: head
        case .optional: head + ["Not encrypted if the other side asks for that (--encryption optional)"]
        case .none: head + ["\("NOT ENCRYPTED", .alarm): anyone on this network can read and change the data"]
        }
    }

    /// How others reach the sender, in a whole window.
    private var ways: [DisplayText] {
        guard !addresses.isEmpty else { return [NetworkReport.noNetwork] }
        return [ReceiverCommands(addresses: addresses, link: link, isAdvertised: isAdvertised).text]
    }

    /// How others reach the sender, beside the code.
    private var waysInAColumn: [DisplayText] {
        let address = ReceiverCommands(addresses: addresses, link: link, isAdvertised: isAdvertised).shortAddress
        let receive: DisplayText = "  \("hikeshare receive", .command)"
        var lines: [DisplayText] = ["On the other laptop:"]
        if isAdvertised { lines += [receive, ""] }
        if let address {
            lines += isAdvertised ? ["If it does not find you, add"] : [receive]
            lines.append("  \("--connect \(address)", .command)")
        }
        if lines.count > 1 { lines.append("or, with the link below:") }
        return lines + [
            receive + " -", "",
            "The code is the link, for a laptop with a camera program. Phones: stop, and add --web.", "",
        ]
    }

    /// What goes with the region, and to whom.
    private var conditions: [DisplayText] {
        let end: DisplayText = stopsAfterFirst ? ", until the first one has it." : "."
        let admitted: DisplayText? = acceptsAll ? "Everyone nearby" : link.map { _ in "Anyone with the link" }
        return [personal.words, admitted.map { "\($0) gets it without a question\(end)" }].compactMap { $0 }
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

    var payloads: [any Encodable & Sendable] { [Payload(addresses: addresses, link: link?.text)] }

    var text: DisplayText {
        guard !addresses.isEmpty else { return Self.noNetwork }
        return "The network has changed.\(link == nil ? "" : " The share link is a new one.")"
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

    /// The best address that is short enough for a column beside a code; nil if there is none.
    ///
    /// `receive` takes the usual port if there is none.
    var shortAddress: String? {
        guard let address = shown.first, !address.hasPrefix("[") else { return nil }
        let port = PeerServiceType.hikeshare.defaultPort.map { ":\($0)" } ?? ""
        return address.hasSuffix(port) ? String(address.dropLast(port.count)) : address
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
        if link != nil { commands.append(("or, with the link:", "hikeshare receive -")) }
        return commands.enumerated().map { index, way in
            [index == 0 ? "On the other laptop:" : way.words, way.command.styled(.command)]
        }
    }

    /// The command with which a receiver finds the sender; without the share link, it joins the sender's own network
    /// first.
    static func usual(for link: ShareLink?) -> DisplayText {
        link?.network == nil ? "hikeshare receive" : "hikeshare receive --join"
    }

    private static func isLinkLocal(_ address: String) -> Bool { address.contains("%") }
}
