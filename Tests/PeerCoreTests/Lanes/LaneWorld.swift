import Foundation
import PeerProtocol
import PeerTestSupport

@testable import PeerCore

/// Both sides of a transfer over lanes, without drivers and without a network.
///
/// What was sent waits in a queue of its connection. The numbers of a seed decide which queue moves on, which lanes join late and
/// which break, and how long the pieces are. Within a connection everything arrives in order, as far as the lane lives.
struct LaneWorld {
    /// What is on its way to the receiver.
    enum Part {
        case digests(DigestListPart)
        case lanes(LaneInvitation)
        case header(DataHeader)
        /// Bytes of the last header.
        case bytes(Int)
        case allDispatched(AllDispatched)
        case done(Completion)
        /// The lane is closed.
        case end
    }

    /// What is on its way to the sender.
    enum Reply {
        case request(ChunkRequest)
        case confirmation(Confirmation)
    }

    /// What the sender's answering job does.
    enum Stage {
        case idle
        /// The connections take the chunks of this resource.
        case sending(Int)
        /// Everything is taken; the lanes have to end.
        case closing(Int)
        /// The receiver was told so, and has not answered.
        case waiting(Int)
        /// The receiver lacks what a lane has lost.
        case repeating(Int, ChunkCursor)
    }

    private enum Step: Hashable {
        case send(Int)
        case deliver(Int)
        case reply
        /// A lane presents its secret.
        case present(Int)
        /// A lane whose secret was right comes to the transfer.
        case admit(Int)
        case lose(Int)

        /// Its place among all steps.
        var order: Int {
            switch self {
            case .reply: 0
            case .send(let connection): 5 * connection + 1
            case .deliver(let connection): 5 * connection + 2
            case .present(let connection): 5 * connection + 3
            case .admit(let connection): 5 * connection + 4
            case .lose(let connection): 5 * connection + 5
            }
        }
    }

    static let transfer = 1
    static let main = ResourceAssembly.mainConnection

    /// Whether frames of the main connection may overtake each other, as they must not.
    let isUnordered: Bool
    let manifest: Manifest
    var random: SeededGenerator
    /// How likely each step is, compared with others.
    private var weights: [Step: Int] = [:]
    var lossesLeft: Int

    var sender: SenderStateMachine
    var senderLanes: SenderLaneStateMachine
    var lanes = ExpectedLanes()
    var stage = Stage.idle
    var requests: [(position: Int, runs: ChunkRuns)] = []
    var secret: ConnectionSecret
    /// The number of the request for which lanes are let in; nil if none are.
    var awaiting: Int?
    /// The lanes that were let in and have not come to the transfer, with the request.
    var admitted: [Int: Int] = [:]
    /// What the connections have taken and not sent; those of lanes that are open, and of the main connection.
    var shares: [Int: Range<UInt64>] = [LaneWorld.main: 0..<0]

    var receiver = ReceiverStateMachine()
    var receiverLanes: ReceiverLaneStateMachine
    /// The lanes that connect, with their secrets.
    var joining: [Int: ConnectionSecret] = [:]

    var queues: [Int: [Part]] = [LaneWorld.main: []]
    var replies: [Reply] = []
    /// Whether the receiver has everything.
    var isDone = false
    /// What went wrong.
    var failure: String?
    /// How many chunks were asked for again, and how many lanes came to the transfer.
    var counts = (repeated: 0, lanes: 0)

    /// Makes both sides, up to the receiver's selection: it wants everything.
    init(_ source: MemorySource, seed: UInt64, losses: Int, isUnordered: Bool = false) throws {
        random = SeededGenerator(seed: seed)
        secret = ConnectionSecret(using: &random)
        manifest = source.manifest
        lossesLeft = losses
        self.isUnordered = isUnordered
        var configuration = ConnectionConfiguration()
        configuration.lanes = .always(3)
        sender = SenderStateMachine(manifest: manifest)
        senderLanes = SenderLaneStateMachine(configuration, at: .now)
        senderLanes.connected(isCapable: true)
        receiverLanes = ReceiverLaneStateMachine(configuration)
        _ = receiver.start()
        _ = sender.start()
        _ = receiver.receivedManifest(manifest.body)
        guard case .sendSelection(let selection) = receiver.offerAccepted(Set(manifest.entries.map(\.kind))),
            case .sendDigests(let positions) = sender.receivedSelection(selection)
        else {
            failure = "no selection"
            return
        }
        for position in positions {
            let digests = try source.chunkDigests(of: manifest.entries[position])
            queues[Self.main]? += DigestListPart.parts(of: digests, resource: position).map(Part.digests)
        }
    }

    /// Goes on until everything has arrived, or something is wrong.
    mutating func run() {
        var count = 0
        while failure == nil, !isDone {
            count += 1
            guard count < 100_000, let step = nextStep() else { return fail("It does not go on: \(stage)") }
            perform(step)
        }
    }

    /// Notes what went wrong.
    mutating func fail(_ reason: String) {
        failure = reason
    }

    private mutating func nextStep() -> Step? {
        var steps: [Step] = shares.keys.filter(canSend).map(Step.send)
        steps += queues.filter { !$0.value.isEmpty }.map { .deliver($0.key) }
        steps += joining.keys.map(Step.present) + admitted.keys.map(Step.admit)
        if !replies.isEmpty { steps.append(.reply) }
        if lossesLeft > 0 { steps += shares.keys.filter { $0 != Self.main }.map(Step.lose) }
        // A dictionary has its own order in every process.
        steps.sort { $0.order < $1.order }
        for step in steps where weights[step] == nil {
            weights[step] = 1 << Int.random(in: 0...6, using: &random)
            if case .lose = step { weights[step] = 1 }
        }
        var left = Int.random(in: 0..<max(1, steps.reduce(0) { $0 + (weights[$1] ?? 0) }), using: &random)
        return steps.first { step in
            left -= weights[step] ?? 0
            return left < 0
        }
    }

    private mutating func perform(_ step: Step) {
        switch step {
        case .send(Self.main): sendOnMain()
        case .send(let lane): sendShare(on: lane)
        case .deliver(let connection): deliver(on: connection)
        case .reply: receive(replies.removeFirst())
        case .present(let lane): present(lane)
        case .admit(let lane): admit(lane)
        case .lose(let lane): lose(lane)
        }
    }
}
