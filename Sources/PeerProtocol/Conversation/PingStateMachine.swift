/// Answers the peer's pings, and recognises its answers to ours.
///
/// A peer may ping as often as it likes and read nothing. So at most one pong is under way at a time; of the pings that
/// come meanwhile, only the last one is answered. (Wire format, "Keep-alive".)
package struct PingStateMachine: Sendable {
    private enum State {
        /// Our hello was not sent, and nothing may be sent before it.
        case greeting
        /// A pong may be sent.
        case idle
        /// A pong is under way.
        case answering
        /// Our last word was said. Final.
        case finished
    }

    /// What to do about a ping, or once a pong has left.
    package enum OnPing: Equatable, Sendable {
        /// Send this pong; say when it has left.
        case sendPong(Ping)
        /// Nothing: a pong is under way, or no ping waits for one, or the connection is over.
        case none
    }

    /// What to do about a pong.
    package enum OnReceivedPong: Equatable, Sendable {
        /// End the connection and tell the peer.
        case fail(ProtocolError)
        /// Nothing: it is a sign of life, like any frame.
        case none
    }

    private enum Use {
        /// Not before the peer's hello.
        case notYet
        case allowed
        /// The connection is a lane.
        case never
    }

    private var state: State = .greeting
    private var use: Use = .notYet
    /// The last ping of the peer that was not answered.
    private var unanswered: Ping?
    /// The number of our last ping; ours count from 1.
    private var lastSent: UInt32 = 0
    /// The number of the last ping of ours that was answered.
    private var lastAnswered: UInt32 = 0

    package init() {}

    /// Whether pings and pongs of the peer come here; else they are frames like any other.
    package var isInUse: Bool { use == .allowed }

    /// A frame of ours is on its way.
    package mutating func sent(_ frame: Frame) -> OnPing {
        switch frame {
        case .hello: return helloSent()
        case .join: use = .never
        case .decline, .cancel, .failure, .acknowledgement: lastWordSent()
        default: break
        }
        return .none
    }

    /// The peer's hello has arrived.
    package mutating func helloReceived() { if use == .notYet { use = .allowed } }

    /// Our hello is on its way.
    package mutating func helloSent() -> OnPing {
        guard case .greeting = state else { return .none }
        state = .idle
        return answer()
    }

    /// Our last word is on its way; nothing follows it.
    package mutating func lastWordSent() { state = .finished }

    /// It is time for a sign of life: makes the next ping.
    package mutating func nextPing() -> Ping {
        // It wraps after 2^32 pings. At one every second, that is 136 years.
        lastSent &+= 1
        return Ping(nonce: lastSent)
    }

    /// The peer sent a ping.
    package mutating func receivedPing(_ ping: Ping) -> OnPing {
        // Earlier pings that wait are forgotten: a queue of them would grow as long as the peer does not read.
        unanswered = ping
        return answer()
    }

    /// A pong has left.
    package mutating func pongWritten() -> OnPing {
        guard case .answering = state else { return .none }
        state = .idle
        return answer()
    }

    /// The peer answered a ping; it may leave out earlier ones.
    package mutating func receivedPong(_ pong: Ping) -> OnReceivedPong {
        // A pong may skip numbers, because its sender answers only the last ping, but it never goes back.
        guard pong.nonce > lastAnswered, pong.nonce <= lastSent else {
            return .fail(ProtocolError(.invalidFrame, "The other side answered a ping that was not sent."))
        }
        lastAnswered = pong.nonce
        return .none
    }

    private mutating func answer() -> OnPing {
        guard case .idle = state, let ping = unanswered else { return .none }
        state = .answering
        unanswered = nil
        return .sendPong(ping)
    }
}
