import FoundationEssentials
import NIOConcurrencyHelpers
import PeerCore
import PeerStorage

/// A file, or bytes in memory, that is offered to several peers and hashed once.
final class SharedResource: Sendable {
    private let content: ResourceContent
    private let name: String
    private let watches = NIOLockedValueBox<[ResourceWatch]>([])
    private let hashed = NIOLockedValueBox<SingleResource?>(nil)

    init(_ content: ResourceContent, named name: String) {
        self.content = content
        self.name = name
    }

    /// Returns the source for one peer.
    ///
    /// The first call hashes, and blocks while it does; so do the calls that come meanwhile.
    ///
    /// - Parameters:
    ///   - id: The id of the manifest.
    ///   - watch: Says whether the peer's transfer is still wanted.
    /// - Returns: The source.
    /// - Throws: ``PeerError`` as ``SingleResource``.
    func source(_ id: UUID, _ watch: ResourceWatch) throws(PeerError) -> SingleResource {
        watches.withLockedValue { $0.append(watch) }
        let result: Result<SingleResource, PeerError> = hashed.withLockedValue { hashed in
            if let hashed { return .success(hashed) }
            do throws(PeerError) {
                let made = try SingleResource(
                    content,
                    id: id,
                    name: name,
                    isStopped: { self.watches.withLockedValue { $0.allSatisfy(\.hasEnded) } },
                    progress: nil
                )
                hashed = made
                return .success(made)
            } catch {
                return .failure(error)
            }
        }
        return try result.get().offered(as: id)
    }
}
