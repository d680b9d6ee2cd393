import FoundationEssentials
import NIOCore
import PeerProtocol
import Testing

/// A sender and a receiver joined in memory: machines and codec, no I/O, no time.
///
/// ``drive()`` moves bytes until nothing moves any more. Each side's actions are performed as a transfer would.
struct TransferPair {
    /// How the test interferes.
    struct Script {
        /// How the receiver asks for the transfer.
        var invitation = Sample.invitation
        /// What the person at the sender answers to the invitation; nil means yes.
        var refusalOfInvitation: Refusal?
        /// What the person at the receiver answers to the offer; nil means yes.
        var refusalOfOffer: Refusal?
        /// The kinds that the receiver wants.
        var selection: Set<ResourceKind> = [.mbtiles, .savedroutes, .waypoints]
        /// The kinds whose digests the receiver asks for before it answers the offer.
        var surveyed: Set<ResourceKind> = []
        /// How many answers to its questions the receiver takes before it answers the offer; nil for all of them.
        var surveySteps: Int?
        /// The chunks that the receiver has already, by position of the resource.
        var present: [Int: Set<Int>] = [:]
        /// What the receiver has of an older version, by position of the resource.
        var older: [Int: [UInt8]] = [:]
        /// The most pieces that either side takes in one list.
        var maximumPieceCount = ProtocolLimits.standard.maximumPieceCount
        /// What the sender makes of a list of pieces.
        var pieceList: @Sendable (ByteBuffer) -> ByteBuffer = { $0 }
        /// The most bytes that the sender puts into a data frame.
        var pieceLength = 10_000
        /// The most bytes that cross at once.
        var mtu = 1_448
        /// Flips a bit in the byte that the sender sends at this position of the resource with the position 0.
        var corruptedByte: UInt64?
    }

    let script: Script
    let resources: [SampleResource]
    private(set) var sender: SenderSide
    private(set) var receiver: ReceiverSide
    private var isCut = false

    init(_ resources: [SampleResource], _ script: Script = Script()) throws {
        self.script = script
        self.resources = resources
        self.sender = SenderSide(script, resources, try Sample.manifest(resources))
        self.receiver = ReceiverSide(script)
    }

    /// Moves bytes and lets both sides work until neither has anything left, or for so many steps; returns how many.
    @discardableResult
    mutating func drive(atMost limit: Int = .max) throws -> Int {
        try sender.wire.start()
        try receiver.wire.start()
        var steps = 0
        while steps < limit, try step() { steps += 1 }
        return steps
    }

    /// The connection ends; what is on its way is lost.
    mutating func cut() {
        isCut = true
        _ = sender.machine.transportClosed()
        _ = receiver.machine.transportClosed()
    }

    /// A person stops the transfer at one of the sides.
    mutating func cancel(bySender: Bool) throws {
        if bySender {
            if case .end = sender.machine.cancel(Sample.cancellation) {
                try sender.wire.send(.cancel(Sample.cancellation))
            }
        } else if case .end = receiver.machine.cancel(Sample.cancellation) {
            try receiver.wire.send(.cancel(Sample.cancellation))
        }
    }

    private mutating func step() throws -> Bool {
        if try sender.work() { return true }
        if try receiver.work() { return true }
        guard !isCut else { return false }
        if receiver.wire.move(from: &sender.wire, atMost: script.mtu) { return true }
        return sender.wire.move(from: &receiver.wire, atMost: script.mtu)
    }
}
