public import FoundationEssentials
public import PeerCore
import PeerProtocol
public import PeerStorage

extension PeerSession {
    /// Offers a file to a peer, over a connection of its own; returns at once.
    ///
    /// The file must not change until it has been sent.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name that the peer sees, at most 255 bytes; nil for the name of the file.
    ///   - metadata: Data for the peer's application, at most 4,096 bytes.
    ///   - peer: The peer.
    /// - Returns: The sending, which reports progress and the end.
    /// - Throws: `PeerError` with `PeerError.Code.notConnected`, `PeerError.Code.invalidArgument`, `PeerError.Code.declined` if
    ///   the file is larger than the peer accepts.
    public func send(
        file path: String,
        named name: String? = nil,
        metadata: Data = Data(),
        to peer: PeerID
    ) async throws(PeerError) -> ResourceSending {
        try await send(
            resource: .file(path: path),
            named: name ?? Self.lastComponent(of: path),
            metadata: metadata,
            to: peer
        )
    }

    /// Offers a file, or bytes in memory, to a peer, over a connection of its own; returns at once.
    ///
    /// - Parameters:
    ///   - content: The file or the bytes.
    ///   - name: The name that the peer sees, from 1 to 255 bytes.
    ///   - metadata: Data for the peer's application, at most 4,096 bytes.
    ///   - peer: The peer.
    /// - Returns: The sending, which reports progress and the end.
    /// - Throws: As ``send(file:named:metadata:to:)``.
    public func send(
        resource content: ResourceContent,
        named name: String,
        metadata: Data = Data(),
        to peer: PeerID
    ) async throws(PeerError) -> ResourceSending {
        let transport = hub.transport
        let size = try await transport.blocking { () throws(PeerError) in
            try SingleResource.size(of: content, named: name)
        }
        return try await hub.offer(
            ResourceNotice.Offer(name: name, size: size, count: 1, metadata: metadata),
            to: peer
        ) { id, watch async throws(PeerError) in
            try await transport.blocking { () throws(PeerError) in
                try SingleResource(content, id: id, name: name, isStopped: { watch.hasEnded })
            }
        }
    }

    /// Offers a file, or bytes in memory, to several peers; returns at once.
    ///
    /// The content is hashed once. Each peer gets the content over a connection of its own, with a progress of its own.
    ///
    /// - Parameters:
    ///   - content: The file or the bytes.
    ///   - name: The name that the peers see, from 1 to 255 bytes.
    ///   - metadata: Data for the peers' applications, at most 4,096 bytes.
    ///   - recipients: The peers; nil for all that are linked.
    /// - Returns: A sending for each peer to which the content is offered, and the reasons for the others.
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the name is not allowed or the file cannot be read; with
    ///   `PeerError.Code.notConnected` if the session has ended.
    public func send(
        resource content: ResourceContent,
        named name: String,
        metadata: Data = Data(),
        toEach recipients: Set<PeerID>? = nil
    ) async throws(PeerError) -> ResourceSendResult {
        try states.checkIsRunning()
        let transport = hub.transport
        let size = try await transport.blocking { () throws(PeerError) in
            try SingleResource.size(of: content, named: name)
        }
        let offer = ResourceNotice.Offer(name: name, size: size, count: 1, metadata: metadata)
        let shared = SharedResource(content, named: name, transport)
        var result = ResourceSendResult()
        for peer in (recipients ?? Set(states.links.map(\.peer))).sorted(by: { $0.precedes($1) }) {
            do throws(PeerError) {
                let sending = try await hub.offer(offer, to: peer) { id, watch async throws(PeerError) in
                    try await shared.source(id, watch)
                }
                result.sendings.append(sending)
            } catch {
                if error.code == .invalidArgument { throw error }
                result.missed[peer] = error
            }
        }
        return result
    }

    /// Offers a file to several peers; returns at once.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which must not change until it has been sent.
    ///   - name: The name that the peers see, at most 255 bytes; nil for the name of the file.
    ///   - metadata: Data for the peers' applications, at most 4,096 bytes.
    ///   - recipients: The peers; nil for all that are linked.
    /// - Returns: A sending for each peer to which the content is offered, and the reasons for the others.
    /// - Throws: As ``send(resource:named:metadata:toEach:)``.
    public func send(
        file path: String,
        named name: String? = nil,
        metadata: Data = Data(),
        toEach recipients: Set<PeerID>? = nil
    ) async throws(PeerError) -> ResourceSendResult {
        try await send(
            resource: .file(path: path),
            named: name ?? Self.lastComponent(of: path),
            metadata: metadata,
            toEach: recipients
        )
    }

    /// Offers several files as one resource, from a source of the application's own, such as a region.
    ///
    /// The receiver gets all of them or none, with ``ResourceOffer/receive(into:progress:)``.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - name: The name that the peer sees, from 1 to 255 bytes.
    ///   - metadata: Data for the peer's application, at most 4,096 bytes.
    ///   - peer: The peer.
    /// - Returns: The sending, which reports progress and the end.
    /// - Throws: As ``send(file:named:metadata:to:)``.
    public func send(
        source: any ResourceSource,
        named name: String,
        metadata: Data = Data(),
        to peer: PeerID
    ) async throws(PeerError) -> ResourceSending {
        let manifest = source.manifest
        let offer = ResourceNotice.Offer(
            name: name,
            size: manifest.totalSize,
            count: manifest.entries.count,
            metadata: metadata
        )
        return try await hub.offer(offer, to: peer) { _, _ in source }
    }

    /// The resources that peers offer; read by one reader at a time.
    ///
    /// An offer waits until it is read, and is declined after ten minutes.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if there is a reader.
    public func resources() throws(PeerError) -> IncomingResources {
        IncomingResources(reader: try hub.resources.offers.read("the resources"))
    }

    /// The name of the file at a path.
    private static func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }
}
