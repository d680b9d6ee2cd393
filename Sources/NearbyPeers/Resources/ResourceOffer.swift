public import FoundationEssentials
public import PeerCore
import PeerProtocol
public import PeerStorage

/// A resource that a peer offers.
///
/// An offer that is not answered within ten minutes is declined. See <doc:SendingFiles> for an example.
public struct ResourceOffer: Sendable {
    /// The peer that offers the resource.
    public let peer: PeerID
    /// The name of the resource, for people; never a path.
    ///
    /// Escape it before you show it.
    public let name: String
    /// The size of the resource, in bytes.
    public let size: UInt64
    /// The number of files in the resource; 1 unless the peer offers a source of its own.
    public let count: Int
    /// The data that the peer's application has sent with the offer.
    public let metadata: Data

    let key: ResourceTransfers.Key
    private let transfers: ResourceTransfers

    init(_ offer: ResourceNotice.Offer, _ key: ResourceTransfers.Key, transfers: ResourceTransfers) {
        self.peer = key.peer
        self.name = offer.name
        self.size = offer.size
        self.count = offer.count
        self.metadata = offer.metadata
        self.key = key
        self.transfers = transfers
    }

    /// Receives the resource; returns when the complete resource is verified and stored.
    ///
    /// Bytes that were received earlier are not transferred again. If the task is cancelled, the transfer is given up, and this
    /// returns within half a second, even if a disk does not answer.
    ///
    /// - Parameters:
    ///   - destination: The place where the resource is stored.
    ///   - progress: Called at most ten times a second, on any thread; must not block.
    /// - Returns: The stored resource.
    /// - Throws: `PeerError` with `PeerError.Code.peerCancelled`, `PeerError.Code.connectionLost`,
    ///   `PeerError.Code.localStorage`, `PeerError.Code.verificationFailed`, `PeerError.Code.cancelled`;
    ///   `PeerError.Code.invalidArgument` if the offer was already answered.
    public func receive(
        _ destination: ResourceDestination,
        progress: (@Sendable (ResourceProgress) -> Void)? = nil
    ) async throws(PeerError) -> ReceivedResource {
        let storage = ResourceStorage(
            destination,
            offeredName: name,
            offeredSize: size,
            partials: transfers.session.configuration.partialResources
        )
        do throws(PeerError) {
            _ = try await receive(into: storage, progress: progress)
        } catch {
            // A cancelled task does not wait for a disk that does not answer.
            await transfers.session.transport.blocking(patience: .milliseconds(100), ifCancelled: ()) {
                storage.discard()
            }
            throw error
        }
        guard let received = storage.received else {
            throw PeerError(.localStorage, "The resource was received, but its file cannot be found.")
        }
        return received
    }

    /// Receives the resource into a storage of the application's own, such as a store of regions.
    ///
    /// - Parameters:
    ///   - sink: The storage.
    ///   - progress: Called at most ten times a second, on any thread; must not block.
    /// - Returns: The receipt, which the sender gets too.
    /// - Throws: As ``receive(_:progress:)``; an error of the storage is the `cause`.
    @discardableResult
    public func receive(
        into sink: any ResourceSink,
        progress: (@Sendable (ResourceProgress) -> Void)? = nil
    ) async throws(PeerError) -> TransferReceipt {
        guard let watch = transfers.prepare(key, content: .receiving(sink, size: size, count: count)) else {
            throw PeerError(.invalidArgument, "This offer was already answered, or the peer withdrew it.")
        }
        let updates = watch.updates()
        transfers.advance(key) { $0.accepted() }
        let outcome = await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                if let progress { group.addTask { for await update in updates { progress(update) } } }
                return await watch.outcome(evenIfCancelled: true)
            }
        } onCancel: {
            transfers.advance(key) { $0.cancelled(reason: "The other side has stopped the transfer.") }
        }
        return try outcome.get()
    }

    /// Declines the offer.
    ///
    /// - Parameter reason: What the other side is told, at most 1,000 bytes.
    public func decline(_ reason: String = "The other side does not want it.") {
        let reason = reason.prefix(utf8Count: 1000)
        transfers.advance(key) { $0.declined(Refusal(.declined, reason)) }
    }
}
