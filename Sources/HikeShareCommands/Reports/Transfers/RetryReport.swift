import PeerCore

/// An announcement that a receiver will reconnect.
struct RetryReport: Report {
    var attempt: Int
    var maximumAttempts: Int
    var delay: Duration
    var error: any Error

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                attempt: attempt,
                maximumAttempts: maximumAttempts,
                seconds: delay.components.seconds,
                message: (error as? PeerError)?.message ?? ""
            )
        ]
    }

    var text: DisplayText {
        let error = error as? PeerError
        // The error at the end lists the addresses that were tried.
        let reason: DisplayText =
            switch error?.code {
            case nil: ""
            case .cannotConnect: "The other machine does not answer. "
            default: "\(error?.message ?? "") "
            }
        let advice: DisplayText = error?.code == .connectionLost ? "Leave this running: it reconnects" : "Trying again"
        return "\(reason)\(advice) in \(Wording.duration(delay)) (attempt \(attempt) of \(maximumAttempts))."
    }

    private struct Payload: Encodable {
        var type = "reconnecting"
        var attempt: Int
        var maximumAttempts: Int
        var seconds: Int64
        var message: String
    }
}
