package import RegionSharing
import Sentences

extension SendingError: WordedError {
    package var words: CommandError {
        switch self {
        case .tooManyRegions(let maximum):
            CommandError(
                .usage,
                "These are too many regions for one list: at most \(maximum) can be sent at once.",
                remedy: "Name those that you want to send."
            )
        case .notOffered: CommandError(.notFound, "This region is not offered.")
        case .noReceiver(let time):
            CommandError(
                .noPeerFound,
                "Nothing was sent: no receiver has come within \(Wording.duration(time)).",
                typed: "To wait longer, use a greater --timeout, or none.",
                window: "Send again to wait longer."
            )
        case .unread:
            CommandError(
                .output,
                "Nothing reads the results any more, so sending has ended.",
                typed: "To get only the share link, let 'send' write to a file, and read the first line there."
            )
        case .stopped: CommandError(.interrupted, "Interrupted; no longer sending.")
        }
    }
}
