package import PeerCore
import Synchronization

/// Share links that come on another way than from the keyboard, such as from a phone, while a sender is looked for.
package final class ArrivingLinks: Sendable {
    private let taking = Mutex<AsyncStream<ShareLink>.Continuation?>(nil)

    /// Creates it; nothing is looked for yet.
    package init() {}

    /// Whether a sender is looked for, so that a link is followed.
    package var areTaken: Bool { taking.withLock { $0 != nil } }

    /// Gives a link to the search, as if a person had typed it; returns false if nothing is looked for.
    package func give(_ link: ShareLink) -> Bool {
        taking.withLock { taking in
            guard let taking else { return false }
            taking.yield(link)
            return true
        }
    }

    /// Calls `body` with the links that come meanwhile.
    func with<Result>(_ body: (AsyncStream<ShareLink>) async throws -> Result) async rethrows -> Result {
        let (links, continuation) = AsyncStream.makeStream(of: ShareLink.self, bufferingPolicy: .bufferingNewest(1))
        taking.withLock { $0 = continuation }
        defer { taking.withLock { $0 = nil } }
        return try await body(links)
    }
}
