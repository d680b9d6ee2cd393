import FoundationEssentials
import NIOConcurrencyHelpers
import PeerCore
import PeerStorage

/// A file or bytes in memory that are offered to several peers and hashed once.
final class SharedResource: Sendable {
    private typealias Outcome = Result<SingleResource, PeerError>

    private struct State {
        var hashed: SingleResource?
        var isBeingHashed = false
        /// The transfers that wait for the digests.
        var waiting: [(watch: ResourceWatch, outcome: Awaited<Outcome>)] = []
    }

    private let content: ResourceContent
    private let name: String
    private let transport: any PeerTransport
    private let state = NIOLockedValueBox(State())

    init(_ content: ResourceContent, named name: String, _ transport: any PeerTransport) {
        self.content = content
        self.name = name
        self.transport = transport
    }

    /// Returns the source for one peer.
    ///
    /// The first call starts hashing on a separate thread. Calls in the meantime wait for the same result.
    func source(_ id: UUID, _ watch: ResourceWatch) async throws(PeerError) -> SingleResource {
        let outcome = Awaited<Outcome>()
        let isFirst = state.withLockedValue { state in
            if let hashed = state.hashed {
                outcome.fulfil(.success(hashed))
                return false
            }
            state.waiting.append((watch, outcome))
            defer { state.isBeingHashed = true }
            return !state.isBeingHashed
        }
        if isFirst { hash(id) }
        return try await outcome.value(ifCancelled: .failure(.taskCancelled)).get().offered(as: id)
    }

    private func hash(_ id: UUID) {
        transport.runBlocking { [self] in
            let outcome: Outcome
            do throws(PeerError) {
                outcome = .success(try SingleResource(content, id: id, name: name, isStopped: { self.isUnwanted }))
            } catch {
                outcome = .failure(error)
            }
            finish(outcome, id)
        }
    }

    private var isUnwanted: Bool { state.withLockedValue { $0.waiting.allSatisfy(\.watch.hasEnded) } }

    private func finish(_ outcome: Outcome, _ id: UUID) {
        let (ended, isWanted) = state.withLockedValue { state in
            var ended = state.waiting
            state.waiting = []
            if case .success(let hashed) = outcome {
                state.hashed = hashed
            } else if case .failure(let error) = outcome, error.code == .cancelled {
                // A recipient may have been added after the hashing was stopped.
                state.waiting = ended.filter { !$0.watch.hasEnded }
                ended.removeAll { !$0.watch.hasEnded }
            }
            state.isBeingHashed = !state.waiting.isEmpty
            return (ended, state.isBeingHashed)
        }
        for waiting in ended { waiting.outcome.fulfil(outcome) }
        if isWanted { hash(id) }
    }
}
