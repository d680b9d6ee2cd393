import PeerProtocol
import PeerTestSupport

@testable import PeerCore

/// The sender, as its driver performs what its machines decide.
extension LaneWorld {
    func canSend(_ connection: Int) -> Bool {
        guard connection == Self.main else { return true }
        switch stage {
        case .idle: return !requests.isEmpty
        case .sending, .repeating: return true
        case .closing: return shares.count == 1
        case .waiting: return false
        }
    }

    mutating func sendOnMain() {
        switch stage {
        case .idle: begin()
        case .sending(let position): sendShare(of: position)
        case .closing(let position): dispatch(position)
        case .repeating(let position, var cursor):
            guard let piece = cursor.takeBytes(atMost: pieceLength()) else { return finish(position) }
            send(piece, of: position, on: Self.main)
            stage = .repeating(position, cursor)
        case .waiting: break
        }
    }

    private mutating func begin() {
        let (position, runs) = requests.removeFirst()
        stage = .sending(position)
        secret = ConnectionSecret(using: &random)
        let count = senderLanes.begin(runs, of: position, manifest.entries[position].layout)
        guard count > 0, case .sendLanes(let invitation) = sender.lanesWanted(count, secret: secret) else { return }
        senderLanes.invited()
        lanes.expect(count, for: Self.transfer, secret: secret, peer: nil, from: nil)
        awaiting = senderLanes.requestNumber
        queues[Self.main]?.append(.lanes(invitation))
    }

    mutating func sendShare(of position: Int) {
        guard !takeBytes(of: position, on: Self.main) else { return }
        guard senderLanes.isStriped else { return finish(position) }
        lanes.close(Self.transfer)
        awaiting = nil
        stage = .closing(position)
    }

    mutating func sendShare(on lane: Int) {
        guard let position = senderLanes.position else { return fail("A lane outlives its request.") }
        if !takeBytes(of: position, on: lane) { close(lane) }
    }

    /// Sends the next piece on a connection; false if nothing is left.
    private mutating func takeBytes(of position: Int, on connection: Int) -> Bool {
        let lane = connection == Self.main ? nil : connection
        var share = shares[connection] ?? 0..<0
        let piece = senderLanes.takeBytes(of: &share, of: position, atMost: pieceLength(), lane: lane)
        shares[connection] = share
        if let piece { send(piece, of: position, on: connection) }
        return piece != nil
    }

    private mutating func pieceLength() -> Int {
        [4096, 8192, 16_384, 40_960].randomElement(using: &random) ?? 0
    }

    private mutating func send(_ piece: Range<UInt64>, of position: Int, on connection: Int) {
        let header = DataHeader(resource: position, offset: piece.lowerBound, length: piece.count)
        var place = queues[connection]?.count ?? 0
        if isUnordered, connection == Self.main, place > 1, case .header? = queues[connection]?[place - 2] {
            place -= 2
        }
        queues[connection, default: []].insert(contentsOf: [.header(header), .bytes(piece.count)], at: place)
    }

    private mutating func dispatch(_ position: Int) {
        guard case .sendAllDispatched(let allDispatched) = sender.chunksDispatched(position) else {
            return fail("not dispatched")
        }
        queues[Self.main]?.append(.allDispatched(allDispatched))
        stage = .waiting(position)
        if senderLanes.isConfirmed(position) { finish(position) }
    }

    private mutating func finish(_ position: Int) {
        senderLanes.end()
        stage = .idle
        if case .sendDone(let completion) = sender.chunksSent(position) { queues[Self.main]?.append(.done(completion)) }
    }

    mutating func receive(_ reply: Reply) {
        switch reply {
        case .request(let request):
            switch sender.receivedRequest(request) {
            case .sendChunks(let position, let runs) where senderLanes.position == position:
                counts.repeated += runs.ranges.reduce(0) { $0 + $1.count }
                stage = .repeating(position, ChunkCursor(runs: runs, layout: manifest.entries[position].layout))
            case .sendChunks(let position, let runs): requests.append((position, runs))
            case let action: fail("\(action)")
            }
        case .confirmation(let confirmation):
            guard case .none = sender.receivedConfirmation(confirmation) else { return fail("not confirmed") }
            senderLanes.receivedConfirmation(of: confirmation.resource)
            if case .waiting(confirmation.resource) = stage { finish(confirmation.resource) }
        }
    }

    mutating func present(_ lane: Int) {
        guard let secret = joining.removeValue(forKey: lane) else { return }
        switch lanes.join(secret, by: nil) {
        case .lane: admitted[lane] = awaiting
        case .late: break
        case .stranger: return fail("an honest lane is a stranger")
        }
        if admitted[lane] == nil { refuse(lane) }
    }

    mutating func admit(_ lane: Int) {
        guard let request = admitted.removeValue(forKey: lane) else { return }
        guard senderLanes.joined(lane, for: request) else { return refuse(lane) }
        counts.lanes += 1
        shares[lane] = 0..<0
    }

    /// The sender closes a connection that it does not take for a lane.
    private mutating func refuse(_ lane: Int) {
        queues[lane] = [.end]
    }

    private mutating func close(_ lane: Int) {
        senderLanes.ended(lane)
        shares[lane] = nil
        queues[lane, default: []].append(.end)
    }

    /// A lane breaks: the receiver gets only a part of what is on its way.
    mutating func lose(_ lane: Int) {
        lossesLeft -= 1
        let parts = queues[lane] ?? []
        let kept = Int.random(in: 0...parts.count, using: &random)
        queues[lane] = Array(parts.prefix(kept))
        if kept < parts.count, case .bytes(let count) = parts[kept], count > 1 {
            queues[lane]?.append(.bytes(Int.random(in: 1..<count, using: &random)))
        }
        close(lane)
    }
}
