import FoundationEssentials
import NIOCore
import PeerCore
import PeerStorage

/// Transfers a resource over a connection in memory, chunk by chunk.
///
/// It replaces the engine of transfers, which needs sockets and threads. The receiver requests the chunks that it
/// lacks, each chunk is verified, and the transfer arrives completely or not at all.
actor InMemoryTransfer {
    /// The most bytes of a chunk that leave together.
    private static let maximumLength = 64 * 1024

    private let transfer: AttachedTransfer
    private let connection: InMemoryConnection
    private var result: Result<TransferReceipt, PeerError>?
    // Of the sender.
    private nonisolated let requests: AsyncStream<ChunkRequest>
    private nonisolated let addRequest: AsyncStream<ChunkRequest>.Continuation
    private var unanswered = 0
    private var sent: UInt64 = 0
    // Of the receiver.
    private var manifest: Manifest?
    private var storage: (any IncomingTransfer)?
    private var lists: DigestLists?
    private var digests: [Int: [ContentDigest]] = [:]
    private var position = 0
    /// What comes of the resource at the position, and where its next bytes belong; nil before its chunks are requested.
    private var arrival: (assembly: ResourceAssembly, next: ChunkCursor)?
    private var received: UInt64 = 0

    init(_ transfer: AttachedTransfer, on connection: InMemoryConnection) {
        self.transfer = transfer
        self.connection = connection
        (requests, addRequest) = AsyncStream.makeStream(of: ChunkRequest.self)
    }

    /// Runs until the connection has ended.
    func run() async -> Result<TransferReceipt, PeerError> {
        connection.awaitLongFrames()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.connection.run { await self.handle($0) } }
            group.addTask {
                guard let cancellation = await self.transfer.control.cancellation() else { return }
                await self.cancel(cancellation)
            }
            group.addTask {
                for await request in self.requests { await self.answer(request) }
            }
            group.addTask { await self.watch() }
            await group.next()
            connection.finish()
            group.cancelAll()
        }
        storage?.abandon()
        storage = nil
        return result ?? .failure(lost)
    }

    /// Ends the connection when the other side has been silent for too long.
    private func watch() async {
        let (clock, configuration) = (connection.clock, transfer.configuration)
        let start = clock.now
        while (try? await clock.sleep(for: configuration.keepAliveInterval)) != nil, result == nil {
            guard clock.now - (connection.lastReceipt ?? start) < configuration.silenceTimeout else {
                return connection.abort()
            }
            connection.send([.credit(Credit(received: 0))], written: nil)
        }
    }

    private var lost: PeerError {
        position > 0 && unanswered == 0
            ? PeerError(.outcomeUnknown, "Everything was sent, but the receiver never confirmed that it was kept.")
            : PeerError(.connectionLost, "The connection to the other side was lost.")
    }

    private func cancel(_ cancellation: Cancellation) {
        end(.failure(PeerError(.cancelled, "The transfer was stopped.")), telling: .cancel(cancellation))
    }

    private func end(_ outcome: Result<TransferReceipt, PeerError>, telling frame: Frame? = nil) {
        guard result == nil else { return }
        result = outcome
        if let frame { connection.send([frame], written: nil) }
        connection.finish()
    }

    private func fail(_ error: any Error) {
        let error = PeerError(carrying: error)
        end(.failure(error), telling: .failure(Failure(code: error.code.description, message: error.message)))
    }

    private func handle(_ event: PeerConnectionEvent) {
        guard result == nil else { return }
        do {
            switch event {
            case .opened: try open()
            case .frame(let frame): try received(frame)
            case .encryptionMismatch(let failure): throw PeerError(failure)
            case .invalid(let error): throw PeerError(.protocolViolation, error.message, cause: error)
            }
        } catch {
            fail(error)
        }
    }

    private func received(_ frame: Frame) throws {
        switch frame {
        case .manifest(let body): try begin(body)
        case .digests(let part): try take(part)
        case .request(let request):
            unanswered += 1
            addRequest.yield(request)
        case .record(let record): try take(record.payload)
        case .acknowledgement(let acknowledgement):
            end(.success(TransferReceipt(acknowledgement)))
        case .cancel(let cancellation):
            end(.failure(PeerError(.peerCancelled, "The other side stopped: \(cancellation.reason)")))
        case .failure(let failure):
            end(.failure(PeerError(.peerFailed, "The other side reports: \(failure.message)")))
        // A sign of life.
        case .credit: break
        default: throw PeerError(.protocolViolation, "A frame came out of turn.")
        }
    }
}

// MARK: The sender

extension InMemoryTransfer {
    private func open() throws {
        guard case .sending(let source) = transfer.content else { return }
        var frames: [Frame] = [.manifest(source.manifest.body)]
        for (position, entry) in source.manifest.entries.enumerated() {
            let digests = try source.chunkDigests(of: entry)
            frames += DigestListPart.parts(of: digests, resource: position).map { .digests($0) }
        }
        connection.send(frames, written: nil)
    }

    private func answer(_ request: ChunkRequest) async {
        do {
            if try await send(request) { unanswered -= 1 }
        } catch {
            fail(error)
        }
    }

    /// Sends chunks.
    private func send(_ request: ChunkRequest) async throws -> Bool {
        guard case .sending(let source) = transfer.content else { return false }
        let entries = source.manifest.entries
        guard entries.indices.contains(request.resource),
            let runs = entries[request.resource].layout.runs(validating: request.runs)
        else { throw PeerError(.protocolViolation, "The other side requested chunks that do not exist.") }
        let entry = entries[request.resource]
        position = request.resource + 1
        sent += entry.size - runs.byteCount(in: entry.layout)
        let content = try ReadableContent(source.content(of: entry), size: entry.size)
        for chunk in runs.ranges.joined() {
            var bytes = try content.bytes(in: entry.layout.byteRange(of: chunk..<chunk + 1))
            while let slice = bytes.readSlice(length: min(Self.maximumLength, bytes.readableBytes)),
                slice.readableBytes > 0
            {
                let written = Awaited<Void>()
                connection.send([.record(Record(.bytes, payload: slice))]) { written.fulfil(()) }
                await written.value(ifCancelled: ())
                guard result == nil, !Task.isCancelled, connection.isOpen else { return false }
            }
            sent += UInt64(entry.layout.byteRange(of: chunk..<chunk + 1).count)
            transfer.report(.transferring(bytes: sent, bytesPerSecond: 0, timeLeft: nil))
        }
        return true
    }
}

// MARK: The receiver

extension InMemoryTransfer {
    private func begin(_ body: Data) throws {
        guard case .receiving(let sink, _, _) = transfer.content, manifest == nil else {
            throw PeerError(.protocolViolation, "A manifest came out of turn.")
        }
        let manifest = try Manifest(parsing: body)
        try sink.examine(manifest)
        let kinds = try transfer.content.answer(to: manifest)
        let peer = RemotePeer(
            id: transfer.peer,
            displayName: "",
            platform: "",
            software: "",
            address: "",
            security: .encrypted(transfer.peer),
            trust: .unknown
        )
        storage = try sink.begin(manifest, accepting: kinds, from: peer)
        self.manifest = manifest
        lists = DigestLists(manifest)
        lists?.expect(Array(manifest.entries.indices))
    }

    private func take(_ part: DigestListPart) throws {
        guard let list = try lists?.received(part) else { return }
        digests[part.resource] = list
        try next()
    }

    /// Requests the missing chunks of the next resource whose digests are known, or commits.
    private func next() throws {
        guard case .receiving(let sink, _, _) = transfer.content, let manifest, let storage else { return }
        while manifest.entries.indices.contains(position) {
            let entry = manifest.entries[position]
            if arrival == nil {
                guard let digests = digests[position] else { return }
                let located = try sink.locate(entry, of: manifest, digests: digests) { false }
                let missing = try storage.missingChunks(of: entry, digests: digests, located: located)
                received += entry.size - missing.byteCount(in: entry.layout)
                var assembly = ResourceAssembly(layout: entry.layout, digests: digests)
                assembly.expectChunks(missing)
                arrival = (assembly, ChunkCursor(runs: missing, layout: entry.layout))
                connection.send([.request(ChunkRequest(resource: position, runs: missing.ranges))], written: nil)
            }
            guard arrival?.assembly.isComplete == true else { return }
            try storage.finish(entry)
            arrival = nil
            position += 1
        }
        let receipt = try storage.commit()
        self.storage = nil
        let acknowledgement = Acknowledgement(
            id: manifest.id,
            time: Date(),
            imported: receipt.imported,
            keptLocal: receipt.keptLocal
        )
        result = .success(receipt)
        connection.send([.acknowledgement(acknowledgement)], written: nil)
        connection.finish()
    }

    private func take(_ bytes: ByteBuffer) throws {
        guard let range = arrival?.next.takeBytes(atMost: bytes.readableBytes), range.count == bytes.readableBytes,
            let entry = manifest?.entries[position], let storage
        else { throw PeerError(.protocolViolation, "The other side sent data that was not requested.") }
        try arrival?.assembly.received(DataHeader(resource: position, offset: range.lowerBound, length: range.count))
        guard case .chunks(let gathered) = try arrival?.assembly.received([bytes]) else { return }
        for chunks in gathered {
            let verified = try chunks.verified()
            try storage.write(verified.buffers, at: verified.offset, of: entry)
            received += UInt64(verified.byteCount)
            transfer.report(.transferring(bytes: received, bytesPerSecond: 0, timeLeft: nil))
        }
        try next()
    }
}
