/// An asynchronous sequence of updates, with a bounded buffer.
///
/// Each transfer reports progress at most ten times per second. If a reader is slow, the oldest updates are dropped.
///
/// ```swift
/// for await update in updates {
///     if case .transfer(.transferring(let progress)) = update.event { print("\(Int(progress.fraction * 100)) %") }
/// }
/// ```
public struct TransferUpdates: AsyncSequence, Sendable {
    /// The input of the sequence; pass it to a sender or a receiver.
    public struct Continuation: Sendable {
        fileprivate let base: AsyncStream<TransferUpdate>.Continuation?
        private let observe: @Sendable (TransferUpdate) -> Void

        fileprivate init(base: AsyncStream<TransferUpdate>.Continuation) {
            (self.base, observe) = (base, { _ in })
        }

        /// Creates an input that shows each update to `observe` before it passes it on, if to anything.
        init(to other: Continuation?, observe: @escaping @Sendable (TransferUpdate) -> Void) {
            (base, self.observe) = (other?.base, observe)
        }

        func yield(_ update: TransferUpdate) {
            observe(update)
            base?.yield(update)
        }

        /// Ends the sequence.
        public func finish() { base?.finish() }
    }

    private let base: AsyncStream<TransferUpdate>

    /// Creates a sequence and its input.
    public static func makeStream() -> (updates: TransferUpdates, continuation: Continuation) {
        let (base, continuation) = AsyncStream.makeStream(
            of: TransferUpdate.self,
            bufferingPolicy: .bufferingNewest(256)
        )
        return (TransferUpdates(base: base), Continuation(base: continuation))
    }

    /// Returns an iterator over the updates.
    public func makeAsyncIterator() -> AsyncStream<TransferUpdate>.Iterator { base.makeAsyncIterator() }
}
