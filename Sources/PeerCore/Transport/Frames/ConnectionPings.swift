import NIOCore

/// The pings and pongs of a connection, and who waits for an answer.
struct ConnectionPings {
    /// What to do about a received frame.
    enum OnReceived {
        /// Pass it on: it is neither a ping nor a pong that is allowed.
        case pass
        /// Nothing, or send a pong.
        case perform(PingStateMachine.OnPing)
        /// Succeed these promises.
        case answered([EventLoopPromise<Void>])
        /// End the connection and tell the peer.
        case fail(ProtocolError)
    }

    private var machine = PingStateMachine()
    /// The pings whose pong a task waits for, in the order of their numbers.
    private var awaited: [(nonce: UInt32, answered: EventLoopPromise<Void>)] = []

    mutating func received(_ frame: Frame) -> OnReceived {
        switch frame {
        case .ping(let ping) where machine.isInUse: return .perform(machine.receivedPing(ping))
        case .pong(let pong) where machine.isInUse:
            if case .fail(let error) = machine.receivedPong(pong) { return .fail(error) }
            // A pong also answers all pings before its own.
            let count = awaited.prefix { $0.nonce <= pong.nonce }.count
            defer { awaited.removeFirst(count) }
            return .answered(awaited.prefix(count).map(\.answered))
        case .hello:
            machine.helloReceived()
            return .pass
        default: return .pass
        }
    }

    /// Notes a sent frame that decides whether pongs may be sent.
    mutating func sent(_ frame: Frame) -> PingStateMachine.OnPing { machine.sent(frame) }

    mutating func pongWritten() -> PingStateMachine.OnPing { machine.pongWritten() }

    /// Makes the next ping; the promise succeeds when its pong arrives.
    mutating func next(answered: EventLoopPromise<Void>?) -> Ping {
        let ping = machine.nextPing()
        if let answered { awaited.append((ping.nonce, answered)) }
        return ping
    }

    /// Returns the promises of all pings that were not answered.
    mutating func takeAwaited() -> [EventLoopPromise<Void>] {
        defer { awaited = [] }
        return awaited.map(\.answered)
    }
}
