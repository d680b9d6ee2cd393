import NIOConcurrencyHelpers
import NIOCore
import PeerCore

extension InMemoryConnection {
    func awaitLongFrames() {
        state.withLockedValue { $0.reader.awaitLongFrames() }
    }

    /// Bytes have arrived; called on the executor of the network.
    func receive(_ bytes: ByteBuffer) {
        var types: [FrameType] = []
        let (taken, other) = state.withLockedValue { state -> (Int, InMemoryConnection?) in
            guard state.phase == .open, !state.isSilent else { return (0, nil) }
            state.lastReceipt = clock.now
            var taken = bytes.readableBytes
            for output in state.reader.read(bytes, note: { types.append($0) }) {
                switch output {
                case .event(let event, let length):
                    state.inbox.append((event, length))
                    taken -= length
                case .ping(let ping):
                    perform(state.pings.receivedPing(ping), in: &state)
                case .pong(let pong):
                    receivedPong(pong, in: &state)
                }
            }
            return (max(0, taken), state.other)
        }
        network.note(types.map { "\($0)" }, from: otherMachine, to: machine)
        other?.took(taken)
        network.serialExecutor.execute(transmit)
        wakeSession()
    }

    private func receivedPong(_ pong: Ping, in state: inout State) {
        if case .fail(let error) = state.pings.receivedPong(pong) {
            state.reader.finish()
            state.inbox.append((.invalid(error), 0))
        }
        // A peer may leave out earlier pings.
        for waiting in state.roundTrips where waiting.ping.nonce <= pong.nonce {
            waiting.duration.fulfil(waiting.start.duration(to: clock.now))
        }
        state.roundTrips.removeAll { $0.ping.nonce <= pong.nonce }
    }

    private func wakeSession() {
        let (next, event) = state.withLockedValue { state -> (Awaited<PeerConnectionEvent?>?, PeerConnectionEvent?) in
            guard let next = state.next, let (event, length) = state.inbox.popFirst() else { return (nil, nil) }
            state.next = nil
            state.other?.tookLater(length)
            return (next, event)
        }
        next?.fulfil(event)
    }

    private func tookLater(_ count: Int) {
        network.serialExecutor.execute { self.took(count) }
    }

    /// Waits for the next event.
    ///
    /// - Returns: The event; nil if the connection has ended.
    func nextEvent() async -> PeerConnectionEvent? {
        let next = Awaited<PeerConnectionEvent?>()
        state.withLockedValue { state in
            if let (event, length) = state.inbox.popFirst() {
                state.other?.tookLater(length)
                next.fulfil(event)
            } else if state.phase == .open {
                state.next = next
            } else {
                next.fulfil(nil)
            }
        }
        return await next.value(ifCancelled: nil)
    }
}

/// Reads what arrives on a connection, as the frame handler of a real connection does.
///
/// A plain value.
struct FrameReader {
    /// What has been read.
    enum Output {
        /// An event for the session, and the number of bytes that it takes.
        case event(PeerConnectionEvent, length: Int)
        /// The peer asks for a sign of life.
        case ping(Ping)
        /// The peer answers a ping.
        case pong(Ping)
    }

    /// Whether pings and pongs are handled below the session.
    private enum PingUse {
        /// Not before the peer's hello.
        case notYet
        case allowed
        /// The connection is a lane.
        case never
    }

    private var decoder: FrameDecoder
    private var unread = ByteBuffer()
    private var pingUse = PingUse.notYet
    /// Whether no further frame is read, because of an error.
    private var isFinished = false

    init(preface: Preface, limits: ProtocolLimits) {
        decoder = FrameDecoder(preface: preface, limits: limits)
        decoder.takesLongFrames = false
    }

    mutating func awaitLongFrames() {
        decoder.takesLongFrames = true
    }

    /// Notes that this side has made the connection a lane.
    mutating func noteJoin() {
        pingUse = .never
    }

    /// Notes that no further frame is read.
    mutating func finish() {
        isFinished = true
    }

    /// Reads what is complete.
    ///
    /// - Parameters:
    ///   - bytes: What has arrived.
    ///   - note: Called with the type of each frame.
    /// - Returns: What has been read, in order.
    mutating func read(_ bytes: ByteBuffer, note: (FrameType) -> Void) -> [Output] {
        guard !isFinished else { return [] }
        unread.writeImmutableBuffer(bytes)
        defer { unread.discardReadBytes() }
        var outputs: [Output] = []
        do throws(ProtocolError) {
            while !isFinished, let output = try decoder.next(from: &unread) {
                switch output {
                case .preface:
                    break
                case .frame(let frame):
                    note(frame.type)
                    outputs.append(pass(frame))
                case .dataHeader, .data:
                    note(.data)
                    throw ProtocolError(.unexpectedFrame, "The other side sent a data frame outside of a transfer.")
                }
            }
        } catch {
            isFinished = true
            outputs.append(.event(.invalid(error), length: 0))
        }
        return outputs
    }

    private mutating func pass(_ frame: Frame) -> Output {
        switch frame {
        case .ping(let ping) where pingUse == .allowed: return .ping(ping)
        case .pong(let pong) where pingUse == .allowed: return .pong(pong)
        case .hello where pingUse == .notYet: pingUse = .allowed
        default: break
        }
        return .event(.frame(frame), length: decoder.frameLength)
    }
}
