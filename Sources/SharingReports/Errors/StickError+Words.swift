package import RegionSharing
import Sentences

extension StickError: WordedError {
    package var words: CommandError {
        switch self {
        case .declined: CommandError(.declined, "You declined; nothing was written.")
        case .noRequest(let folder):
            CommandError(
                .notFound,
                "There is no request of another machine in \(folder).",
                remedy: .typed(
                    "Write one there with 'hikeshare receive --stick FOLDER', or seal the region for anyone with --anyone.",
                    window:
                        "Put the stick into the other laptop first, and choose there “Receive from a stick …”. Or write it for anyone who has the link."
                )
            )
        case .unknownRecipient:
            Self.noTerminal(
                "The request on the stick is not from a trusted machine, and without a terminal the program cannot ask you."
            )
        case .tooManyFiles(let region, let count):
            CommandError(
                .storage,
                "There are \(count) files of “\(region)” for anyone on the stick already.",
                remedy: "Remove the files that you no longer need."
            )
        case .unasked:
            Self.noTerminal(
                "No file on the stick is for this machine. A request says which maps you have, and without a terminal the "
                    + "program cannot ask whether to write one to this stick."
            )
        case .secretOpensNothing:
            CommandError(
                .notFound,
                "The link opens no file on the stick.",
                remedy: .typed(
                    "Check the folder, or leave out --link to receive what was sealed for this machine.",
                    window: "Check the stick, or leave the link out to receive what was sealed for this machine."
                )
            )
        case .impostor(let name):
            CommandError(
                .notTrusted,
                "The file on the stick is not from the “\(name)” that you trust: it has a different key.",
                remedy: ProgramRemedy.impostor(called: name)
            )
        case .unknownSender(let name):
            Self.noTerminal(
                "“\(name)”, who has written the file on the stick, is not trusted, and without a terminal the program "
                    + "cannot ask you."
            )
        }
    }

    private static func noTerminal(_ what: Sentence) -> CommandError {
        CommandError(.noTerminal, what, remedy: "Run the command in a terminal, or use --yes.")
    }
}
