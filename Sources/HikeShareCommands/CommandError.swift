import PeerCore

/// An error that a command itself finds, and not the libraries below.
struct CommandError: Error {
    /// What kind of error it is, for programs.
    enum Code: String {
        /// Something must be asked and there is nobody to ask.
        case noTerminal
        /// What is asked for is not possible in this combination.
        case usage
        /// A file is of no kind that is understood.
        case unknownFile
        /// Nobody was found in time.
        case noPeerFound
        /// There is nothing of that kind here.
        case notFound
        /// Several things are meant.
        case ambiguous
        /// The other machine is a stranger, and there is nobody to ask.
        case notTrusted
        /// The person at this machine said no.
        case declined
        /// A person stopped it.
        case interrupted
        /// A place on this machine cannot be used.
        case storage
        /// The results cannot be written to the standard output.
        case output
        /// The system allows this program too few open files.
        case openFiles
    }

    /// What kind of error it is.
    var code: Code

    /// What went wrong and why.
    var message: String

    /// What to do about it.
    var remedy: String?

    /// What to look at, one a line.
    var hints: [DisplayText]

    init(_ code: Code, _ message: String, remedy: String? = nil, hints: [DisplayText] = []) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.hints = hints
    }
}

extension CommandError: ReportableError {
    /// The message.
    var reportToPeer: String { message }
}
