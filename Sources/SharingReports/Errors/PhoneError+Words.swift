package import RegionSharing
import RegionStore

extension PhoneError: WordedError {
    package var words: CommandError {
        switch self {
        case .port(let port, let reason):
            CommandError(
                .port,
                "The page for phones cannot be shown on port \(port): \(reason).",
                typed: "Choose another port with --web-port, or 0 for any free one."
            )
        }
    }
}

extension LocalSendError: WordedError {
    package var words: CommandError {
        switch self {
        case .ended(let phone, let end):
            CommandError(
                end.code,
                end.reason(phone).string,
                typed: end.advice?.typed ?? "Send it again.",
                window: end.advice?.window
            )
        case .notFound(let names, let time):
            CommandError(
                .noPeerFound,
                """
                \(time == nil ? "Not everything" : "Nothing") was sent: \(Wording.list(names.map { "“\($0)”" })) \(names.count == 1 ? "was" : "were") not \
                found\(time.map { " within " + Wording.duration($0) } ?? "").
                """,
                typed: "Open LocalSend there, in the same network, and give the name that it shows. "
                    + "To wait longer, use a greater --timeout, or none."
            )
        case .noKind(let kind, let region):
            CommandError(
                .unknownFile,
                "“\(region.name)” has no file of this kind for phones: \(kind.typedWord ?? kind.rawValue).",
                typed: "Leave out --as, or choose another kind.",
                window: "Choose another file."
            )
        }
    }
}

extension LocalSendEnd {
    /// What the end means for a command that was to send to the phone.
    fileprivate var code: CommandError.Code {
        switch self {
        case .declined, .notNeeded, .noPIN, .wrongPIN, .busy, .cancelledThere, .failedThere: .declined
        case .stoppedHere: .interrupted
        case .unreachable: .noPeerFound
        case .otherDevice: .notTrusted
        case .lost, .damaged: .network
        case .noFile: .unknownFile
        }
    }
}
