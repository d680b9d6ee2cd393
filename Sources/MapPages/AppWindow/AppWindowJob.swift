/// Something that a person begins in the window, and that takes its time.
package protocol AppWindowJob: Sendable {
    /// What is done, such as “Sending Coma Pedrosa”.
    var title: String { get }

    /// Does it, until it ends by itself or a person asks it to stop.
    ///
    /// - Throws: What the window says as the reason why it has ended.
    func run(_ stops: AsyncStream<Void>) async throws
}
