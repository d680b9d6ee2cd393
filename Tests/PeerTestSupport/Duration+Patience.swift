extension Duration {
    /// How long a test waits for what must happen.
    ///
    /// Only a hang takes as long, however busy the machine is. It is less than the time limit of a test, 10 minutes, so that the wait
    /// says what did not happen before the test ends.
    public static let patience: Duration = .seconds(300)
}
