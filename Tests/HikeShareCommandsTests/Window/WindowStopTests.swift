import PeerTestSupport
import Sentences
import SharingReports
import Testing

@testable import SharingWindow

/// How a person in the window ends what goes on.
@Suite struct WindowStopTests {
    private static func outcome(
        _ requests: AsyncStream<Void>,
        endsByItself: Bool,
        _ body: @escaping @Sendable () async throws -> Void
    ) async -> String {
        do {
            try await WindowStop.watch(requests) {
                endsByItself
            } conclude: {
                CommandError(.interrupted, "\("\(type(of: $0))")")
            } _: {
                try await body()
            }
            return "complete"
        } catch {
            return (error as? CommandError)?.message.english ?? "other"
        }
    }

    @Test func workThatCannotEndIsCancelled() async {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let outcome = await Self.outcome(requests, endsByItself: false) {
            request.yield()
            try await Task.sleep(for: .patience)
        }
        #expect(outcome == "CancellationError")
    }

    /// A request that comes before the work is watched counts.
    @Test func anEarlyRequestIsNotLost() async {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        request.yield()
        let outcome = await Self.outcome(requests, endsByItself: false) { try await Task.sleep(for: .patience) }
        #expect(outcome == "CancellationError")
    }

    @Test func workThatEndsByItselfIsCancelledByASecondRequest() async {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let outcome = await Self.outcome(requests, endsByItself: true) {
            request.yield()
            request.yield()
            try await Task.sleep(for: .patience)
        }
        #expect(outcome == "CancellationError")
    }

    @Test func whatWasCompleteStaysComplete() async {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let outcome = await Self.outcome(requests, endsByItself: true) { request.yield() }
        #expect(outcome == "complete")
    }

    @Test func withoutARequestAnErrorIsAsItWas() async {
        let (requests, _) = AsyncStream.makeStream(of: Void.self)
        let outcome = await Self.outcome(requests, endsByItself: true) {
            throw CommandError(.storage, "The disk is full.")
        }
        #expect(outcome == "The disk is full.")
    }
}
