import PeerCore

/// A sender in this process that speaks the protocol well and does not tell the truth.
enum HostileSender {
    /// Serves a source on loopback as long as `body` runs.
    ///
    /// - Parameters:
    ///   - source: What is offered and sent.
    ///   - name: What the sender calls itself.
    ///   - identity: Who it is; nil for somebody new.
    ///   - body: Is given the port and what the sender learns of its transfers.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    static func serve<Result: Sendable>(
        _ source: some ResourceSource,
        as name: String = "Mallory",
        identity: PeerIdentity? = nil,
        _ body: (_ port: Int, _ finished: AsyncStream<TransferSender.Finished>) async throws -> Result
    ) async throws -> Result {
        let local = LocalPeer(
            application: .hikeshare,
            identity: try identity ?? .generate(for: .hikeshare),
            displayName: name,
            software: "test 1"
        )
        return try await PeerListener.with(local: local, host: "127.0.0.1") { listener in
            let (finished, continuation) = AsyncStream.makeStream(of: TransferSender.Finished.self)
            let control = TransferControl()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await TransferSender(local: local, source: source).serve(on: listener, control: control) { _ in
                        .accept
                    } finished: { outcome in
                        continuation.yield(outcome)
                        return true
                    }
                }
                defer { control.cancel(reason: "The test is over.") }
                return try await body(listener.port, finished)
            }
        }
    }
}
