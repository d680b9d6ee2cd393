import FoundationEssentials
package import PeerCore
package import RegionSharing
import RegionStore

/// The regions that a sender offers, and how to reach the sender.
package struct ListeningReport: ObjectReport {
    package let facts: ListeningFacts
    /// Whether the text has only what is sent, the name, the addresses and the share link.
    private let isBrief: Bool
    /// The code of the share link, which stands beside the text; nil for the text alone.
    private let code: QRCodeSheet?
    /// The number of columns for the code and the text.
    private let columns: Int
    /// Whether phones with LocalSend are found.
    private let hasLocalSend: Bool

    package init(
        facts: ListeningFacts,
        isBrief: Bool = false,
        code: QRCodeSheet? = nil,
        columns: Int = 80,
        hasLocalSend: Bool = false
    ) {
        (self.facts, self.isBrief, self.code, self.columns) = (facts, isBrief, code, columns)
        self.hasLocalSend = hasLocalSend
    }

    private var link: ShareLink? { facts.link }
    private var first: RegionSummary? { facts.offers.first?.region }
    private var hasChoice: Bool { facts.offers.count > 1 }

    package var json: JSONObject {
        [
            "type": "listening",
            "peerID": facts.local.id.hex,
            "name": facts.local.displayName,
            "port": facts.port,
            "addresses": facts.addresses,
            "regionID": hasChoice ? nil : first?.id.uuidString,
            "regionName": hasChoice ? nil : first?.name,
            "regions": !hasChoice
                ? nil
                : facts.offers.map {
                    ["regionID": $0.region.id.uuidString, "regionName": $0.region.name, "size": $0.size]
                        as JSONObject
                },
            "size": facts.size,
            "encryption": facts.encryption.rawValue,
            "part": first?.cut?.json,
            "personal": facts.personal.json,
            "outside": facts.outside.isEmpty
                ? nil : Dictionary(facts.outside.map { ($0.key.json, $0.value) }) { first, _ in first },
            "link": link?.text,
        ]
    }

    package var text: DisplayText {
        guard !facts.addresses.isEmpty else { return heading.joined(separator: "\n") }
        if isBrief {
            return (heading + facts.addresses.map { "\($0)" } + [link.map { "\($0.text)" }].compactMap { $0 }).joined(
                separator: "\n"
            )
        }
        let words = (heading + [""] + ways + [""] + conditions).joined(separator: "\n")
        let screen = code.map { $0.text(beside: words + "\nCtrl-C stops.", columns: columns) } ?? words
        return link.map { "\(screen)\n\($0.text)" } ?? screen
    }

    private var heading: [DisplayText] { lead + encryptionWords.map(\.typed) }

    /// What is sent, and the name of this machine, in the window.
    package var windowHeading: [DisplayText] { lead + encryptionWords.compactMap(\.window) }

    private var lead: [DisplayText] {
        guard !hasChoice, let first else { return choiceHeading }
        let what: DisplayText = first.part == nil ? "\(first.name)" : "a part of \(first.name)"
        let tiles = first.part.map { ": \($0.place)\($0.count)" as DisplayText } ?? ""
        return ["Sending \(what), \(Wording.size(facts.size))\(tiles)", "You are \(facts.local.displayName)"]
    }

    /// The regions from which receivers pick, by name as far as there is room.
    private var choiceHeading: [DisplayText] {
        let offers = facts.offers
        let shown = offers.count <= Self.maximumShownCount + 1 ? offers.count : Self.maximumShownCount
        let rows = offers.prefix(shown).map { offer -> [DisplayText] in
            ["", DisplayText(escaping: offer.region.name).truncated(to: 32), "\(Wording.size(offer.size))"]
        }
        let rest = offers.count - shown
        let more: [DisplayText] = rest == 0 ? [] : ["  and \(rest) more"]
        var lines: [DisplayText] = ["Sending \(offers.count) regions, \(Wording.size(facts.size)); receivers pick"]
        lines += TextTable(rows, trailing: [2]).lines
        lines += more
        lines.append("You are \(facts.local.displayName)")
        return lines
    }

    private static let maximumShownCount = 4

    private var encryptionWords: [Hint] {
        switch facts.encryption {
        case .required: []
        case .optional:
            [
                .typed(
                    "Not encrypted if the other side asks for that (--encryption optional)",
                    window: "Not encrypted if the other side asks for that"
                )
            ]
        case .none: ["\("NOT ENCRYPTED", .alarm): anyone on this network can read and change the data"]
        }
    }

    /// How others reach the sender.
    private var ways: [DisplayText] {
        var lines: [DisplayText] = ["On the other laptop:"]
        if facts.isAdvertised { lines.append("  \(Self.command(for: link))") }
        let typed = addressesToType
        let isAddition = facts.isAdvertised || code != nil
        if isAddition, !typed.isEmpty {
            lines.append(facts.isAdvertised ? "If it does not find you, add" : "  hikeshare receive")
        }
        lines += typed.map { "  \("\(isAddition ? "" : "hikeshare receive ")--connect \($0)", .command)" }
        if typed.contains(where: Self.isLinkLocal) { lines.append("(after %: the interface of the other laptop)") }
        guard link != nil else { return lines }
        if lines.count > 1 { lines.append("or, with the link below:") }
        lines.append("  \("hikeshare receive --link", .command)")
        guard code != nil else { return lines }
        let phones: DisplayText = hasLocalSend ? "open LocalSend there, or stop and" : "stop, and"
        return lines + ["", "The code is the link, for a laptop with a camera program. Phones: \(phones) add --web."]
    }

    /// The addresses to type, as a shell takes them: the best one if there is a share link, which has the others.
    ///
    /// A link-local address is there only if there is no other, because it is different on each machine. `receive` takes the usual
    /// port if there is none.
    private var addressesToType: [String] {
        let others = facts.addresses.filter { !Self.isLinkLocal($0) }
        let usualPort = PeerServiceType.hikeshare.defaultPort.map { ":\($0)" } ?? ""
        let typed = (others.isEmpty ? facts.addresses : others).map { address in
            if address.hasPrefix("[") { return "'\(address)'" }
            return address.hasSuffix(usualPort) ? String(address.dropLast(usualPort.count)) : address
        }
        return link == nil
            ? typed : Array(typed.prefix(1).filter { code == nil || $0.utf8.count <= Self.longestBesideCode })
    }

    private static let longestBesideCode = 24

    private static func isLinkLocal(_ address: String) -> Bool { address.contains("%") }

    /// The command with which a receiver finds the sender; without the share link, it joins the sender's own network first.
    package static func command(for link: ShareLink?) -> DisplayText {
        "\(link?.network == nil ? "hikeshare receive" : "hikeshare receive --join", .command)"
    }

    /// What goes with the region, and to whom.
    package var conditions: [DisplayText] {
        let end: DisplayText = facts.stopsAfterFirst ? ", until the first one has it." : "."
        let admitted: DisplayText? = facts.acceptsAll ? "Everyone nearby" : link.map { _ in "Anyone with the link" }
        return [facts.personal.words, admitted.map { "\($0) gets it without a question\(end)" }].compactMap { $0 }
    }
}

extension AddressChange: ObjectReport {
    package var json: JSONObject { ["type": "network", "addresses": addresses, "link": link?.text] }

    package var text: DisplayText {
        "The network has changed.\(link == nil ? "" : " The share link is a new one.")"
    }
}
