import Glibc
import PeerCore
import RegionSharing

/// Reads share links from the terminal or the standard input, because other users of the machine can see the arguments.
enum ShareLinkInput {
    /// Returns whether a text looks like a share link, or is one without `HIKESHARE://`.
    static func isLink(_ text: String) -> Bool {
        ShareLink.isTyped(text, for: .hikeshare)
    }

    /// Reads a share link, with or without `HIKESHARE://`, ignoring spaces around it.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/invalidArgument``; the message does not contain the token.
    static func parse(_ text: String) throws -> ShareLink {
        do {
            return try ShareLink(typed: text, for: .hikeshare)
        } catch {
            var error = error
            error.remedy = ProgramRemedy.link
            throw error
        }
    }

    /// Asks for a share link at the terminal, again if it is not valid.
    ///
    /// - Throws: ``CommandError`` if none is given, ``PeerError`` if it is still not valid after some attempts.
    static func ask(_ console: Console) async throws -> ShareLink {
        var attempts = 0
        while true {
            guard let line = try await console.ask("Paste the share link: ") else {
                throw CommandError(.declined, "No share link was given; nothing was received.")
            }
            attempts += 1
            do {
                return try parse(line)
            } catch let error as PeerError where attempts < maximumAttempts {
                console.tell("\(error.message) Please try again.")
            }
        }
    }

    /// The number of attempts to type a share link.
    private static let maximumAttempts = 5

    /// Reads a share link from the first line of the standard input, which is not a terminal.
    ///
    /// If the session has a terminal, as with `zbarcam … | hikeshare receive --link`, questions are asked there afterwards.
    ///
    /// - Throws: ``CommandError`` if the input is empty, ``PeerError`` if the share link is not valid.
    static func readStandardInput() async throws -> ShareLink {
        guard let line = try await TerminalLine.read(from: STDIN_FILENO) else {
            throw CommandError(
                .usage,
                "There is no share link on standard input.",
                remedy: "Pipe in the share link that 'hikeshare send' shows, as one line."
            )
        }
        let link = try parse(line)
        Screen.readFromControllingTerminal()
        return link
    }
}

extension SenderLocation {
    /// Returns an error in words that fit a share link, if this is one.
    func explained(_ error: any Error) -> any Error {
        guard case .link = self, var error = error as? PeerError, error.code == .notTrusted else { return error }
        error.message = "This link belongs to another laptop than the one that answers, or its address has changed."
        error.remedy = "Ask for the link that is on the sender's screen now."
        return error
    }
}
