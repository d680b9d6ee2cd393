import NIOCore
import PeerProtocol

extension TransferPair {
    /// The sender: performs what its machine says.
    struct SenderSide {
        var machine: SenderStateMachine
        var wire = Wire(hello: Sample.hello)
        private let script: Script
        private let resources: [SampleResource]
        private let limits: ProtocolLimits
        private var queue: [(resource: Int, cursor: ChunkCursor, isRanges: Bool)] = []

        init(_ script: Script, _ resources: [SampleResource], _ manifest: Manifest) {
            self.script = script
            self.resources = resources
            var limits = ProtocolLimits.standard
            limits.maximumPieceCount = script.maximumPieceCount
            self.limits = limits
            self.machine = SenderStateMachine(manifest: manifest, limits: limits)
        }

        /// Reads one thing, or sends one piece; false if there is nothing to do.
        mutating func work() throws -> Bool {
            guard machine.end == nil else { return false }
            do {
                if let output = try wire.next() {
                    try perform(output)
                    return true
                }
            } catch let error as ProtocolError {
                _ = machine.receivedInvalid(error)
                try wire.send(.failure(Failure(code: error.code.description, message: error.message)))
                return true
            }
            return try sendPiece()
        }

        private mutating func perform(_ output: FrameDecoder.Output) throws {
            guard case .frame(let frame) = output else { throw ProtocolError(.unexpectedFrame, "data") }
            switch frame {
            case .invite:
                if let refusal = script.refusalOfInvitation {
                    try wire.send(.decline(refusal))
                    _ = machine.finish(.declined(refusal))
                } else if case .sendManifest(let manifest) = machine.start() {
                    try wire.send(.accept)
                    try wire.send(.manifest(manifest.body))
                }
            case .digestQuery(let query):
                guard case .sendDigests(let positions) = machine.receivedDigestQuery(query) else { return }
                try list(positions)
            case .selection(let selection):
                switch machine.receivedSelection(selection) {
                case .sendDigests(let positions): try list(positions)
                case .sendDone(let completion): try wire.send(.done(completion))
                default: break
                }
            case .request(let request):
                guard case .sendChunks(let position, let runs) = machine.receivedRequest(request) else { return }
                queue.append((position, ChunkCursor(runs: runs, layout: resources[position].layout), false))
            case .pieceQuery(let query):
                guard case .listPieces(let position, let chunks) = machine.receivedPieceQuery(query) else { return }
                let resource = resources[position]
                let made = try PieceListBuilder.list(of: chunks, layout: resource.layout, limits: limits) {
                    ByteBuffer(bytes: resource.bytes(in: $0))
                }
                guard let made else { return }
                let list = script.pieceList(made.bytes)
                guard case .sendPieceList(let parts) = machine.piecesListed(position, list, until: made.end) else {
                    return
                }
                for part in parts { try wire.send(.pieceList(part)) }
            case .rangeRequest(let request):
                guard case .sendRanges(let position, let runs) = machine.receivedRangeRequest(request) else { return }
                queue.append((position, ChunkCursor(runs), true))
            case .confirmation(let confirmation): _ = machine.receivedConfirmation(confirmation)
            case .acknowledgement(let acknowledgement): _ = machine.receivedAcknowledgement(acknowledgement)
            case .decline(let refusal): _ = machine.receivedDecline(refusal)
            case .cancel(let cancellation): _ = machine.receivedCancel(cancellation)
            case .failure(let failure): _ = machine.receivedFailure(failure)
            default: _ = machine.receivedOther(frame.type)
            }
        }

        private mutating func list(_ positions: [Int]) throws {
            for position in positions {
                for part in DigestListPart.parts(of: resources[position].digests, resource: position) {
                    try wire.send(.digests(part))
                }
            }
        }

        private mutating func sendPiece() throws -> Bool {
            guard !queue.isEmpty else { return false }
            let resource = queue[0].resource
            guard let piece = queue[0].cursor.takeBytes(atMost: script.pieceLength) else {
                guard !queue.removeFirst().isRanges else {
                    machine.rangesSent(resource)
                    return true
                }
                if case .sendDone(let completion) = machine.chunksSent(resource) { try wire.send(.done(completion)) }
                return true
            }
            var bytes = Array(resources[resource].bytes(in: piece))
            if let corrupted = script.corruptedByte, resource == 0, piece.contains(corrupted) {
                bytes[Int(corrupted - piece.lowerBound)] ^= 1
            }
            wire.sendData(DataHeader(resource: resource, offset: piece.lowerBound, length: bytes.count), bytes)
            return true
        }
    }
}
