import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerStorage

extension TransferPair {
    /// The receiver: performs what its machine says.
    struct ReceiverSide {
        var machine: ReceiverStateMachine
        var wire = Wire(hello: Sample.receiverHello)
        /// The bytes that were verified, by position of the resource and then by offset.
        private(set) var kept: [Int: [UInt64: [UInt8]]] = [:]
        /// The positions of the resources that were stored, in order.
        private(set) var stored: [Int] = []
        private(set) var hasCommitted = false
        private let script: Script
        private var manifest: Manifest?
        private var digests: [Int: [ContentDigest]] = [:]
        /// The pieces that are awaited of each resource.
        private var comparisons: [Int: PieceComparison] = [:]
        /// How many bytes of resources came.
        private(set) var byteCount = 0
        /// How many bytes of each surveyed resource are missing, as far as that was found out.
        private(set) var estimate: [Int: Int] = [:]
        /// The resources that are not yet compared.
        private var uncompared: Set<Int> = []
        private var surveySteps = 0
        private var hasAnswered = false

        private let limits: ProtocolLimits

        init(_ script: Script) {
            self.script = script
            var limits = ProtocolLimits.standard
            limits.maximumPieceCount = script.maximumPieceCount
            self.limits = limits
            self.machine = ReceiverStateMachine(limits: limits)
        }

        /// The bytes of a resource that were verified, one after the other.
        func bytes(of resource: Int) -> [UInt8] {
            (kept[resource] ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value)
        }

        /// Reads one thing; false if there is nothing to do.
        mutating func work() throws -> Bool {
            guard machine.end == nil else { return false }
            do {
                if wire.isConnected, !wire.sentFrames.contains(.invite) {
                    try wire.send(.invite(script.invitation))
                    return true
                }
                guard let output = try wire.next() else {
                    // The handshake may have been completed just now; then there is an invitation to send.
                    return wire.isConnected && !wire.sentFrames.contains(.invite)
                }
                try perform(output)
            } catch let error as ProtocolError {
                _ = machine.receivedInvalid(error)
                try wire.send(.failure(Failure(code: error.code.description, message: error.message)))
            }
            return true
        }

        private mutating func perform(_ output: FrameDecoder.Output) throws {
            switch output {
            case .preface: break
            case .frame(let frame): try perform(frame)
            case .dataHeader(let header):
                _ = machine.receivedData(header)
            case .data(let bytes):
                byteCount += bytes.readableBytes
                try perform(machine.receivedBytes([bytes]))
            }
        }

        private mutating func perform(_ frame: Frame) throws {
            switch frame {
            case .accept: _ = machine.start()
            case .decline(let refusal): _ = machine.finish(.declinedByPeer(refusal))
            case .manifest(let body): try examine(body)
            case .digests(let part):
                try perform(machine.receivedDigests(part))
            case .pieceList(let part): try perform(machine.receivedPieceList(part))
            case .done(let completion):
                guard case .commit = machine.receivedDone(completion) else { return }
                hasCommitted = true
                let kinds = stored.compactMap { manifest?.entries[$0].kind.rawValue }
                let counts = Dictionary(uniqueKeysWithValues: kinds.map { ($0, 1) })
                let action = machine.committed(at: Sample.time, imported: counts, keptLocal: [:])
                if case .sendAcknowledgement(let acknowledgement) = action {
                    try wire.send(.acknowledgement(acknowledgement))
                }
            case .cancel(let cancellation): _ = machine.receivedCancel(cancellation)
            case .failure(let failure): _ = machine.receivedFailure(failure)
            default: _ = machine.receivedOther(frame.type)
            }
        }

        private mutating func examine(_ body: Data) throws {
            guard case .ask(let manifest) = machine.receivedManifest(body) else { return }
            self.manifest = manifest
            guard case .sendDigestQuery(let query) = machine.startSurvey(script.surveyed) else { return try answer() }
            uncompared = Set(manifest.entries.indices.filter { script.surveyed.contains(manifest.entries[$0].kind) })
            try wire.send(.digestQuery(query))
            if script.surveySteps == 0 { try answer() }
        }

        /// Answers the offer; the lists that have come already count.
        private mutating func answer() throws {
            guard !hasAnswered else { return }
            hasAnswered = true
            let action =
                if let refusal = script.refusalOfOffer {
                    machine.offerDeclined(refusal)
                } else {
                    machine.offerAccepted(script.selection)
                }
            switch action {
            case .sendSelection(let selection): try wire.send(.selection(selection))
            case .sendDecline(let refusal): try wire.send(.decline(refusal))
            default: break
            }
            for resource in digests.keys.sorted() { try locate(resource) }
        }

        private mutating func perform(_ action: ReceiverStateMachine.Action) throws {
            switch action {
            case .locateChunks(let resource, let list):
                digests[resource] = list
                if !hasAnswered, let runs = missing(resource), let layout = manifest?.entries[resource].layout {
                    estimate[resource] = Int(runs.byteCount(in: layout))
                }
                try locate(resource)
            case .sendPieceQuery(let query): try wire.send(.pieceQuery(query))
            case .readList(let resource, let list): try compare(list, resource)
            case .sendRangeRequests(let resource, _, let missing, let ready):
                for request in RangeRequest.requests(for: missing, of: resource) {
                    try wire.send(.rangeRequest(request))
                }
                if missing.ranges.isEmpty || !ready.isEmpty { try combine(ready, resource) }
            case .finishEstimate(let resource, _): uncompared.remove(resource)
            case .sendRequest(let request): try wire.send(.request(request))
            case .sendRequestAndStore(let request):
                try wire.send(.request(request))
                try store(request.resource)
            case .keep(let resource, let gathered, let isWhole):
                for chunks in gathered {
                    let verified = try chunks.verified()
                    kept[resource, default: [:]][verified.offset] = verified.buffers.flatMap { $0.readableBytesView }
                }
                if isWhole { try store(resource) }
            case .combine(let resource, let chunks): try combine(chunks, resource)
            case .sendConfirmation(let confirmation): try wire.send(.confirmation(confirmation))
            case .ask, .sendDigestQuery, .sendSelection, .sendDecline, .openLanes, .awaitEndOfLanes, .show, .commit,
                .sendAcknowledgement, .end, .none:
                break
            }
        }

        /// Answers the offer if enough of it was compared.
        private mutating func noteSurveyStep() throws {
            guard !hasAnswered else { return }
            surveySteps += 1
            if uncompared.isEmpty || script.surveySteps == surveySteps { try answer() }
        }

        private func missing(_ resource: Int) -> ChunkRuns? {
            guard let layout = manifest?.entries[resource].layout else { return nil }
            let present = script.present[resource] ?? []
            return layout.runs(
                validating: (0..<layout.chunkCount).filter { !present.contains($0) }.map { $0..<$0 + 1 }
            )
        }

        private mutating func locate(_ resource: Int) throws {
            guard let runs = missing(resource) else { return }
            let comparable = script.older[resource] == nil ? ChunkRuns.none : runs
            try perform(machine.chunksLocated(resource, missing: runs, comparable: comparable))
            try noteSurveyStep()
        }

        private mutating func compare(_ received: PieceList.Received, _ resource: Int) throws {
            guard let layout = manifest?.entries[resource].layout else { return }
            let list = try PieceList(reading: received.bytes, query: received.query, layout: layout, limits: limits)
            let script = script
            let basis = DeltaBasis(chunks: received.query) { range in
                let older = script.older[resource] ?? []
                let inside = Range(uncheckedBounds: (Int(range.lowerBound), Int(range.upperBound))).clamped(
                    to: 0..<older.count
                )
                return ByteBuffer(bytes: older[inside])
            }
            let comparison = PieceComparison(list, with: basis)
            let missing = comparison.missing(of: received.wanted)
            let next = machine.piecesCompared(resource, list.chunks, missing: missing)
            guard case .sendRangeRequests = next else {
                if !hasAnswered {
                    estimate[resource, default: 0] -= Int(list.chunks.byteCount(in: layout)) - Int(missing.byteCount)
                }
                try perform(next)
                return try noteSurveyStep()
            }
            comparisons[resource] = comparison
            try perform(next)
        }

        private mutating func combine(_ chunks: [PieceAssembler.GatheredChunk], _ resource: Int) throws {
            guard let layout = manifest?.entries[resource].layout, let comparison = comparisons[resource] else {
                return
            }
            var failed: [Int] = []
            for chunk in chunks {
                if let bytes = chunk.assembled(with: comparison.bytes(of: chunk.position, layout)) {
                    kept[resource, default: [:]][chunk.byteRange.lowerBound] = Array(bytes.readableBytesView)
                } else {
                    failed.append(chunk.position)
                }
            }
            try perform(machine.chunksCombined(resource, except: failed))
        }

        private mutating func store(_ resource: Int) throws {
            guard case .sendConfirmation(let confirmation) = machine.resourceStored(resource) else { return }
            stored.append(resource)
            try wire.send(.confirmation(confirmation))
        }
    }
}
