import Glibc
import PeerCore
import RegionSharing
import Sentences
import SharingReports

/// Reads share links from the terminal or the standard input, because other users of the machine can see the arguments.
enum ShareLinkInput {
    /// Returns whether a text looks like a share link, or is one without `HIKESHARE://`.
    static func isLink(_ text: String) -> Bool { ShareLink.isTyped(text, for: .hikeshare) }

    /// Reads a share link, with or without `HIKESHARE://`, ignoring spaces around it.
    static func parse(_ text: String) throws -> ShareLink {
        do {
            return try ShareLink(typed: text, for: .hikeshare)
        } catch {
            throw error.advising(ProgramRemedy.link.typed.english)
        }
    }

    /// Asks for a share link at the terminal, again if it is not valid.
    static func ask(_ console: Console) async throws -> ShareLink {
        do {
            return try await ShareLinkQuestion(for: .hikeshare).settle(TerminalPerson(console))
        } catch let error as PeerError {
            throw error.advising(ProgramRemedy.link.typed.english)
        }
    }

    /// Reads a share link from the first line of the standard input, which is not a terminal.
    ///
    /// If the session has a terminal, as with `zbarcam … | hikeshare receive --link`, questions are asked there afterwards.
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
