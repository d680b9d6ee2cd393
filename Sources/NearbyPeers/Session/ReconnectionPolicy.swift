/// How long a link is kept without a connection, and how often to try to connect.
///
/// See <doc:StayingConnected> for an example.
public struct ReconnectionPolicy: Hashable, Sendable {
    /// How long sent data waits for a peer whose connection is lost.
    public var window: Duration
    /// How long to try to connect after that.
    public var patience: Duration
    /// The longest pause between two attempts within the window; the pauses are 0, 0.5, 1, 2, 4 s and then this, ± 20 %.
    public var longestPause: Duration
    /// The pause between two attempts after the window.
    public var latePause: Duration

    /// Creates a policy; what is not given is as in the default one.
    ///
    /// - Parameters:
    ///   - window: How long sent data waits for a peer whose connection is lost.
    ///   - patience: How long to try to connect after that.
    ///   - longestPause: The longest pause between two attempts within the window.
    ///   - latePause: The pause between two attempts after the window.
    public init(
        window: Duration = .seconds(30),
        patience: Duration = .seconds(600),
        longestPause: Duration = .seconds(5),
        latePause: Duration = .seconds(15)
    ) {
        self.window = window
        self.patience = patience
        self.longestPause = longestPause
        self.latePause = latePause
    }

    /// How long a peer whose connection is lost may return without a question.
    var memory: Duration { window + patience }

    /// The pause before an attempt.
    func pause(before attempt: Int, isLate: Bool, random: Double) -> Duration {
        let pause: Duration =
            switch attempt {
            case ...0: .zero
            case 1...4: min(longestPause, .milliseconds(250 << attempt))
            default: longestPause
            }
        return (isLate ? max(pause, latePause) : pause) * (0.8 + 0.4 * min(max(random, 0), 1))
    }
}
