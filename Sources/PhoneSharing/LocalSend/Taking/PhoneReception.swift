package import PeerCore
package import RegionSharing
package import RegionStore
import WebServer

/// Lets phones that have LocalSend send to this machine while something else runs.
///
/// ```swift
/// let reception = PhoneReception(into: store, as: local, person: person)
/// try await reception.run { taker in
///     try await receive()
///     try await taker.settle()
/// }
/// ```
package struct PhoneReception: Sendable {
    private let store: RegionStore
    private let local: LocalPeer
    private let links: ArrivingLinks
    private let person: any Person
    /// Where it listens.
    package var settings = LocalSendNode.Settings()

    /// Creates it.
    ///
    /// - Parameters:
    ///   - links: Where share links go, if this machine looks for a sender.
    ///   - person: Who is asked about everything that comes.
    package init(
        into store: RegionStore,
        as local: LocalPeer,
        links: ArrivingLinks = ArrivingLinks(),
        person: any Person
    ) {
        (self.store, self.local, self.links, self.person) = (store, local, links, person)
    }

    /// Runs while `body` runs.
    ///
    /// If phones cannot send, the person is told why, and `body` runs alone.
    ///
    /// - Throws: The error of `body`.
    package func run(during body: @escaping @Sendable (LocalSendTaker) async throws -> Void) async throws {
        let (node, taker): (LocalSendNode, LocalSendTaker)
        do {
            let identity = try LocalSendIdentity.load(for: store)
            node = try LocalSendNode(
                identity,
                alias: local.displayName,
                settings: settings,
                store: store,
                person: person
            )
            taker = LocalSendTaker(into: store, as: local, finder: node.finder, links: links, person: person)
        } catch {
            person.tell(.problem(error))
            // Nothing comes to it.
            return try await body(LocalSendTaker(into: store, as: local, finder: nil, links: links, person: person))
        }
        let site: (LocalSendFinder) -> any WebSite = { LocalSendSite(taker, $0) }
        try await node.run(serving: site) {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await taker.run()
                    return false
                }
                group.addTask {
                    try await body(taker)
                    return true
                }
                defer { group.cancelAll() }
                while let isOver = try await group.next(), !isOver {}
            }
        }
    }
}
