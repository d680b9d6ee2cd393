import Crypto
import Glibc
package import PeerProtocol
package import PeerStorage
import RegionModel

/// A region in a file on a stick, opened and with its sender proved, before anything is taken.
package struct StickReader: Sendable {
    /// What is offered.
    package let manifest: Manifest

    /// The name that the sender has chosen.
    package let senderName: String

    /// The machine that has written the file.
    package let sender: PeerID

    /// Whether the file is sealed for anyone who has the secret.
    package let isForAnyone: Bool

    /// The number of bytes of the file.
    package let size: UInt64

    private var frames: StickFrames

    /// What opens files.
    package struct Keys: Sendable {
        /// The open request of the store; nil if there is none.
        var request: OpenStickRequest?
        /// A secret that a person has given; nil for none.
        package var secret: StickSecret?

        /// The keys of a store.
        package init(of store: RegionStore, secret: StickSecret? = nil) throws {
            request = try store.openStickRequest()
            self.secret = secret
        }
    }

    /// Finds out for whom a file is sealed.
    ///
    /// - Returns: Whether anyone who has its link can open it; false also if it cannot be read.
    package static func isForAnyone(_ path: String) -> Bool {
        let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        return (try? file?.prefix(StickHeader.length)).flatMap { StickHeader($0) }?.recipient == .anyone
    }

    /// Opens a file, and checks who has written it; nil if none of the keys opens it (``StickFile/old``, ``StickFile/needsLink``).
    ///
    /// - Throws: ``StickFile/damaged(_:cause:)``; ``StickFile/cutOff``; ``StickFile/unopened`` if the secret opens nothing; `RegionStoreError` with
    ///   `RegionStoreError.Code.storage` if it cannot be read.
    package init?(_ path: String, with keys: Keys) throws {
        do {
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            size = try file.size()
            guard let header = StickHeader(try file.prefix(StickHeader.length)) else {
                throw StickFile.damaged("it does not begin as a sealed map does")
            }
            let key: SymmetricKey
            switch header.recipient {
            case .machine:
                guard let request = keys.request, request.digest.bytes == header.request else { return nil }
                key = try header.key(request.key)
            case .anyone:
                guard let secret = keys.secret else { return nil }
                key = header.key(secret)
            }
            frames = StickFrames(try SealedFileReader(file, key: key, header: header.bytes))
            let card: StickCard
            do {
                card = try frames.readCard()
            } catch let error as RegionStoreError where header.recipient == .anyone && error.code == .invalidFile {
                throw StickFile.unopened
            }
            // Before a person is asked: a stick that was full, or was taken out too early, has only the beginning.
            guard try frames.hasEnd() else { throw StickFile.cutOff }
            guard case .frame(.manifest(let body)) = try frames.next() else {
                throw StickFile.damaged("the description of the map is missing")
            }
            manifest = try Manifest(parsing: body)
            guard card.isValid(for: manifest, in: header) else {
                throw StickFile.damaged("the signature of its sender is not valid")
            }
            (senderName, sender) = (card.name, card.signature.signer)
            isForAnyone = header.recipient == .anyone
        } catch let error as SystemError {
            throw RegionStoreError.storage("read", path, error)
        } catch let error as ProtocolError {
            throw StickFile.damaged(error)
        }
    }

    /// Receives what was accepted, and commits it as any transfer.
    ///
    /// - Parameter progress: Called with the number of bytes of the file that were read.
    /// - Returns: The receipt, and the number of bytes that came from the file.
    /// - Throws: ``StickFile/damaged(_:cause:)``, ``StickFile/stale``, or the errors of the sink. Nothing is visible then; what was received is kept
    ///   as after any transfer that ends early.
    package mutating func receive(
        into sink: RegionSink,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer,
        progress: (_ done: UInt64) -> Void = { _ in }
    ) throws -> (receipt: TransferReceipt, byteCount: UInt64) {
        try sink.examine(manifest)
        let transfer = try sink.begin(manifest, accepting: kinds, from: peer)
        do {
            var reception = StickReception(manifest, kinds, sink, transfer)
            while let output = try frames.next() {
                progress(frames.position)
                guard try reception.take(output) else { continue }
                // Nothing may follow, or the stream is not what was written.
                guard try frames.next() == nil else { throw StickFile.damaged("something follows its end") }
                return (try transfer.commit(), reception.byteCount)
            }
            throw StickFile.damaged("its end is missing")
        } catch let error as ProtocolError {
            transfer.abandon()
            throw StickFile.damaged(error)
        } catch {
            transfer.abandon()
            throw error
        }
    }
}
