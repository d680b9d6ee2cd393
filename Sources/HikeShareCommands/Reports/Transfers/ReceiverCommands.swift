import PeerCore

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
