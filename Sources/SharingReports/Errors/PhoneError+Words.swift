package import RegionSharing
import RegionStore
import Sentences

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
                end.reason(phone),
                typed: end.advice?.typed ?? "Send it again.",
                window: end.advice?.window
            )
        case .notFound(let names, let time):
            CommandError(
                .noPeerFound,
                Self.notFound(names, within: time),
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

extension LocalSendError {
    private static func notFound(_ names: [String], within time: Duration?) -> Sentence {
        let list = Wording.list(names.map { "“\($0)”" })
        guard let time = time.map({ Wording.duration($0) }) else {
            return names.count == 1
                ? "Not everything was sent: \(list) was not found." : "Not everything was sent: \(list) were not found."
        }
        return names.count == 1
            ? "Nothing was sent: \(list) was not found within \(time)."
            : "Nothing was sent: \(list) were not found within \(time)."
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
