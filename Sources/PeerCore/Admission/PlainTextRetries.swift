import NIOConcurrencyHelpers

/// The connections that a sender without encryption refused because their receivers began with TLS.
///
/// A receiver that allows both retries in plain text at once, perhaps from another of its addresses. Then the refusal was a
/// step of the same transfer and is not reported.
final class PlainTextRetries: Sendable {
    private struct Refused {
        /// Ends when a receiver connects in plain text.
        var retry: AsyncStream<Never>
        var end: AsyncStream<Never>.Continuation
        var hasRetried = false
    }

    private let refused = NIOLockedValueBox<[Int: Refused]>([:])

    /// Notes that a connection was refused.
    func refused(_ number: Int) {
        let (retry, end) = AsyncStream.makeStream(of: Never.self)
        refused.withLockedValue { $0[number] = Refused(retry: retry, end: end) }
    }

    /// A receiver has connected in plain text.
    func plainTextConnected() {
        // The retry may come from another address, so it counts for all that were refused.
        refused.withLockedValue { refused in
            for number in refused.keys {
                refused[number]?.hasRetried = true
                refused[number]?.end.finish()
            }
        }
    }

    /// Forgets a connection.
    func forget(_ number: Int) { refused.withLockedValue { $0[number] = nil } }

    /// Waits for a receiver in plain text after a refusal; returns whether one has connected.
    func follows(_ number: Int, within time: Duration, unless stop: TransferControl) async -> Bool {
        guard let retry = refused.withLockedValue({ $0[number]?.retry }) else { return false }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in retry {} }
            group.addTask { try? await Task.sleep(for: time) }
            group.addTask { _ = await stop.cancellation() }
            // Whatever comes first ends the others.
            await group.next()
            group.cancelAll()
        }
        return refused.withLockedValue { $0[number]?.hasRetried ?? false }
    }
}
