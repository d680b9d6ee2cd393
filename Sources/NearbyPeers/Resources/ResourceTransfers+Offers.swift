import FoundationEssentials
import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol
import PeerStorage

/// Offers that this side makes, and offers that it accepts.
extension ResourceTransfers {
    typealias MakeSource = @Sendable (UUID, ResourceWatch) async throws(PeerError) -> any ResourceSource

    /// Offers a resource on a link as soon as its source exists; `make` must not block.
    func offer(
        _ offer: ResourceNotice.Offer,
        on link: LinkDriver,
        _ make: @escaping MakeSource
    ) throws(PeerError) -> ResourceSending {
        let key = Key(peer: link.peer, transfer: makeID())
        let notice = ResourceNotice(transfer: key.transfer, verb: .offer(offer))
        do {
            _ = try notice.encoded()
        } catch {
            throw PeerError(
                .invalidArgument,
                "The name of the resource is empty or too long, or its metadata is too long.",
                remedy: "Use a name of 1 to 255 bytes, and at most 4,096 bytes of metadata.",
                cause: error
            )
        }
        let watch = ResourceWatch(size: offer.size, step: .hashing)
        let isRunning = session.spawn {
            do throws(PeerError) {
                let source = try await make(key.transfer, watch)
                guard source.manifest.totalSize == offer.size else {
                    throw PeerError(
                        .localStorage,
                        "The file has changed since it was offered.",
                        remedy: "Send it again."
                    )
                }
                self.offer(notice, offer, key, link, source, watch)
            } catch {
                watch.finish(.failure(error))
            }
        }
        guard isRunning else { throw .sessionEnded }
        return ResourceSending(key, named: offer.name, watch: watch, transfers: self)
    }

    private func offer(
        _ notice: ResourceNotice,
        _ offer: ResourceNotice.Offer,
        _ key: Key,
        _ link: LinkDriver,
        _ source: any ResourceSource,
        _ watch: ResourceWatch
    ) {
        watch.update { $0.step = .waiting }
        let error = state.withLockedValue { state -> PeerError? in
            // The application may have cancelled the resource while it was hashed.
            guard !watch.hasEnded else { return nil }
            // Another link may have replaced this one while the resource was hashed.
            guard !state.hasEnded, let carrier = state.carriers[key.peer], carrier.link === link else {
                return .notConnected
            }
            guard state.outgoing(to: key.peer) < Self.maximumCount else { return .tooManySendings }
            let listens = carrier.connection == nil ? nil : carrier.listens
            var record = ResourceRecord(.offering, link, listens: listens, offer: offer, watch: watch)
            record.content = .sending(source)
            state.resources[key] = record
            return nil
        }
        if let error {
            watch.finish(.failure(error))
        } else if !watch.hasEnded, !link.tell(notice) {
            advance(key) { $0.linkEnded() }
        }
    }

    /// Stores the destination of a resource that is about to be accepted; nil if the offer is gone or was already answered.
    func prepare(_ key: Key, content: AttachedTransfer.Content) -> ResourceWatch? {
        let record = state.withLockedValue { state -> ResourceRecord? in
            guard let record = state.resources[key], record.machine.isOffered, record.content == nil else { return nil }
            state.resources[key]?.content = content
            state.resources[key]?.cancelAnswerTimer = nil
            return record
        }
        record?.cancelAnswerTimer?()
        return record?.watch
    }

    /// Makes the id of a transfer: a random UUID of version 4 (RFC 9562, section 5.4); it is not a secret.
    private func makeID() -> UUID {
        let high = session.transport.random() & ~0xF000 | 0x4000
        let low = session.transport.random() >> 2 | 1 << 63
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }
}

extension SessionHub {
    /// Offers a resource to a linked peer.
    func offer(
        _ offer: ResourceNotice.Offer,
        to id: PeerID,
        _ make: @escaping ResourceTransfers.MakeSource
    ) throws(PeerError) -> ResourceSending {
        guard let record = peers[id], let link = record.link else {
            throw hasLeft ? .sessionEnded : .notConnected
        }
        guard offer.size <= record.maximumResourceSize else {
            throw PeerError(
                .declined,
                "The other side accepts resources of at most \(record.maximumResourceSize) bytes; "
                    + "this one has \(offer.size)."
            )
        }
        return try resources.offer(offer, on: link, make)
    }
}

extension PeerTransport {
    /// Calls `body` on a thread that it may block, and waits for its result.
    ///
    /// If the task is cancelled, this returns at once, and `body` ends by itself.
    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(PeerError) -> Value
    ) async throws(PeerError) -> Value {
        try await blocking(ifCancelled: .failure(.taskCancelled)) { Result(catching: body) }.get()
    }
}

extension PeerError {
    static let tooManySendings = PeerError(
        .busy,
        "Too many resources are being sent to this peer.",
        remedy: "Wait until one of them is complete."
    )
}
