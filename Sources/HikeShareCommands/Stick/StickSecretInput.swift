import Glibc
import RegionStore
import Sentences
import SharingReports

/// Reads the link of a stick, as a share link: other users of the machine can see the arguments.
enum StickSecretInput {
    /// Asks for the link at the terminal, or reads the first line of the standard input.
    static func read(_ console: Console) async throws -> StickSecret {
        let line =
            console.canAsk
            ? try await console.ask("Paste the link of the stick: ")
            : try await TerminalLine.read(from: STDIN_FILENO)
        guard let line, let secret = StickSecret(text: line) else {
            throw CommandError(
                .usage,
                "This is not the link of a stick.",
                remedy: "Give the link that 'hikeshare send --stick FOLDER --anyone' has shown."
            )
        }
        return secret
    }
}
