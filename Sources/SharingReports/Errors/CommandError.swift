import PeerCore
package import Sentences

/// An error of a command itself, not of the libraries.
package struct CommandError: Error {
    /// The kind of the error, for programs.
    package enum Code: String, CaseIterable {
        /// A question must be answered, but there is no terminal.
        case noTerminal
        /// The combination of arguments is not possible.
        case usage
        /// A file has an unknown format.
        case unknownFile
        /// No peer was found in time.
        case noPeerFound
        /// The store has nothing of that kind.
        case notFound
        /// Several things match.
        case ambiguous
        /// The other machine is not trusted, and there is no terminal to ask.
        case notTrusted
        /// The person at this machine declined.
        case declined
        /// Something has the name already.
        case conflict
        /// What was decided about has changed meanwhile.
        case changed
        /// A person stopped the command.
        case interrupted
        /// A file or folder on this machine cannot be used.
        case storage
        /// The results cannot be written to the standard output.
        case output
        /// A Wi-Fi network that this program has made or joined has ended.
        case network
        /// A port is in use, or may not be used.
        case port
        /// The system allows this program too few open files.
        case openFiles
        /// Something that was added is outside the map; a warning.
        case outsideArea
        /// A map has taken the place of a newer one, as the person wanted; a warning.
        case olderMap
        /// A map may be a newer version of another region's; a warning.
        case perhapsNewer
        /// Several regions have the same map; a warning.
        case sameMap
        /// Several regions have the same name; a warning.
        case sameName
        /// A file on a stick was written before, and is left as it is; a warning.
        case writtenBefore
    }

    /// The kind of the error.
    package var code: Code
    /// What went wrong and why.
    package var message: Sentence
    /// What the person can do; nil if nothing helps.
    package var remedy: Remedy?
    /// What to check, one item for each line.
    package var hints: [Hint]

    package init(_ code: Code, _ message: Sentence, remedy: Remedy? = nil, hints: [Hint] = []) {
        (self.code, self.message, self.remedy, self.hints) = (code, message, remedy, hints)
    }

    /// Creates an error whose remedy names commands or options, and has other words for the window; nil for none there.
    package init(_ code: Code, _ message: Sentence, typed remedy: Sentence, window: Sentence? = nil, hints: [Hint] = [])
    {
        self.init(code, message, remedy: .typed(remedy, window: window), hints: hints)
    }
}

extension CommandError {
    /// There is no region, and no default store.
    package static var noMaps: CommandError {
        CommandError(
            .notFound,
            "You have no maps yet.",
            hints: [
                .typed(
                    "To import maps:  \("hikeshare import FILE...", .command)",
                    window: "To add maps that you have, choose “Add files”."
                ),
                .typed(
                    "To get one from someone nearby:  \("hikeshare receive", .command)",
                    window: "To get one from someone nearby, choose “Receive a map”."
                ),
            ]
        )
    }

    /// There is no default store, so no machine is trusted.
    package static var noPeers: CommandError {
        CommandError(
            .notFound,
            "You trust no other machine yet.",
            remedy: ProgramRemedy.forTrustedPeer
        )
    }
}

extension CommandError: ReportableError {
    package var reportToPeer: String { message.english }
}
