import PeerCore

/// A transfer broke off and will be tried again.
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
        let reason: DisplayText = (error as? PeerError).map { "\($0.message) " } ?? ""
        return "\(reason)Reconnecting in \(Wording.duration(delay)) (\(attempt) of \(maximumAttempts))…"
    }

    private struct Payload: Encodable {
        var type = "reconnecting"
        var attempt: Int
        var maximumAttempts: Int
        var seconds: Int64
        var message: String
    }
}
