import Crypto
import FoundationEssentials
import Glibc
import NIOCore
package import PeerProtocol
package import PeerStorage
import RegionModel

/// A region in a file on a stick, opened and with its sender proved, of which nothing is taken yet.
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
        ///
        /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
        package init(of store: RegionStore, secret: StickSecret? = nil) throws {
            request = try store.openStickRequest()
            self.secret = secret
        }
    }

    /// Finds out for whom a file is sealed.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: Whether anyone who has its link can open it; false also if it cannot be read.
    package static func isForAnyone(_ path: String) -> Bool {
        let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        return (try? file?.prefix(StickHeader.length)).flatMap { StickHeader($0) }?.recipient == .anyone
    }

    /// Opens a file, and checks who has written it; nil if none of the keys opens it (``StickFile/old``, ``StickFile/needsLink``).
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - keys: What opens it.
    /// - Throws: ``StickFile/damaged``; ``StickFile/cutOff``; ``StickFile/unopened`` if the secret opens nothing; `RegionStoreError` with
    ///   `RegionStoreError.Code.storage` if it cannot be read.
    package init?(_ path: String, with keys: Keys) throws {
        do {
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            size = try file.size()
            guard let header = StickHeader(try file.prefix(StickHeader.length)) else { throw StickFile.damaged }
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
            guard case .frame(.manifest(let body)) = try frames.next() else { throw StickFile.damaged }
            manifest = try Manifest(parsing: body)
            guard card.isValid(for: manifest, in: header) else { throw StickFile.damaged }
            (senderName, sender) = (card.name, card.signature.signer)
            isForAnyone = header.recipient == .anyone
        } catch let error as SystemError {
            throw RegionStoreError.storage("read", path, error)
        } catch is ProtocolError {
            throw StickFile.damaged
        }
    }

    /// Receives what was accepted, and commits it as any transfer.
    ///
    /// - Parameters:
    ///   - sink: Where it goes.
    ///   - kinds: The accepted kinds.
    ///   - peer: The sender.
    ///   - progress: Called with the number of bytes of the file that were read.
    /// - Returns: The receipt, and the number of bytes that came from the file.
    /// - Throws: ``StickFile/damaged``, ``StickFile/stale``, or the errors of the sink. Nothing is visible then; what was received is kept
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
                guard try frames.next() == nil else { throw StickFile.damaged }
                return (try transfer.commit(), reception.byteCount)
            }
            throw StickFile.damaged
        } catch is ProtocolError {
            transfer.abandon()
            throw StickFile.damaged
        } catch {
            transfer.abandon()
            throw error
        }
    }
}

/// Reads the frames of a sealed file.
struct StickFrames: Sendable {
    private var file: SealedFileReader
    private var decoder = FrameDecoder(preface: StickWriter.preface)
    private var buffer = ByteBuffer()

    /// The number of bytes of the file that were read.
    var position: UInt64 { file.position }

    init(_ file: SealedFileReader) {
        self.file = file
    }

    /// Whether the file has the end of what was written.
    func hasEnd() throws(SystemError) -> Bool { try file.hasEnd() }

    /// Reads the card at the beginning.
    mutating func readCard() throws -> StickCard {
        while buffer.readableBytes < StickCard.prefixLength + MapSignature.maximumNameLength, try readPiece() {}
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self),
            let bytes = buffer.readBytes(length: StickCard.prefixLength + Int(length)), let card = StickCard(bytes)
        else { throw StickFile.damaged }
        guard case .preface = try next() else { throw StickFile.damaged }
        return card
    }

    /// Reads the next frame, or the next bytes of a data frame; nil at the end.
    mutating func next() throws -> FrameDecoder.Output? {
        while true {
            if let output = try decoder.next(from: &buffer) { return output }
            guard try readPiece() else {
                guard buffer.readableBytes == 0, !decoder.awaitsRestOfFrame else { throw StickFile.damaged }
                return nil
            }
        }
    }

    private mutating func readPiece() throws -> Bool {
        guard let piece = try file.next() else { return false }
        buffer.discardReadBytes()
        buffer.writeBytes(piece)
        return true
    }
}
