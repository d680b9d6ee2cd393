import Glibc
import PeerCore

/// A link where one is expected, without ever standing in the arguments, which everybody on the machine can see.
enum LinkInput {
    /// How a link begins.
    static let scheme = PeerLink.scheme(of: .hikeshare)

    /// Tells whether a text is meant as a link.
    static func isLink(_ text: String) -> Bool {
        trimmed(text).lowercased().hasPrefix(scheme)
    }

    /// Reads a link, whatever spaces are around it.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument``; it never says the token.
    static func parse(_ text: String) throws -> PeerLink {
        do {
            return try PeerLink(parsing: trimmed(text), for: .hikeshare)
        } catch {
            var error = error
            error.remedy = ProgramRemedy.link
            throw error
        }
    }

    /// Takes a link from a person at the terminal.
    ///
    /// - Throws: ``CommandError`` if none is given, ``PeerError`` if it is none.
    static func ask(_ console: Console) async throws -> PeerLink {
        guard let line = try await console.ask("Paste the link: ") else {
            throw CommandError(.declined, "No link was given; nothing was received.")
        }
        return try parse(line)
    }

    /// Takes a link from the first line of the standard input, which is no terminal.
    ///
    /// If somebody sits at a terminal all the same, as with `zbarcam … | hikeshare receive -`, questions are answered
    /// there from then on.
    ///
    /// - Throws: ``CommandError`` if the input is empty, ``PeerError`` if it is no link.
    static func readStandardInput() async throws -> PeerLink {
        guard let line = try await TerminalLine.read(from: STDIN_FILENO) else {
            throw CommandError(
                .usage,
                "There is no link on standard input.",
                remedy: "Pipe in the link that 'hikeshare send' shows, as one line."
            )
        }
        let link = try parse(line)
        Screen.readFromControllingTerminal()
        return link
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
