import PeerProtocol

/// Decides what the parts that come on an encrypted connection mean, and whether its peer has stalled.
///
/// A pure value; the time is passed in. Only frames are of use here: transfers, whose data frames do not gather in memory,
/// have drivers of their own.
struct ConnectionStateMachine: Sendable {
    /// What to do about a part.
    enum OnReceived: Equatable, Sendable {
        /// Send the preface, and say that the connection is open.
        case open(PeerID)
        /// Pass the frame on.
        case pass(Frame)
        /// Say that the bytes are invalid; close the connection if the peer does not.
        case reportInvalid(ProtocolError)
        /// Tell the peer that it must encrypt; close the connection if the peer does not.
        case refuse(InboundPart.PeerWish)
        /// Close the connection at once.
        case abort
        /// Nothing.
        case none
    }

    /// What to do as time passes.
    enum OnTick: Equatable, Sendable {
        /// Close the connection at once, because the peer does not finish a frame.
        case abort
        /// Nothing.
        case none
    }

    private enum State {
        case opening
        case open
        /// No part is of use any more. Final.
        case finished
    }

    private let stallTimeout: Duration
    private var state: State = .opening
    /// Whether a part is being handled; the peer may wait for this side then.
    private var isHandling = false
    private var lastHandling: ContinuousClock.Instant

    init(stallTimeout: Duration, at now: ContinuousClock.Instant) {
        self.stallTimeout = stallTimeout
        self.lastHandling = now
    }

    /// The next part has come, and is handled until ``handled(at:)``.
    mutating func received(_ part: InboundPart) -> OnReceived {
        isHandling = true
        switch (state, part) {
        case (.finished, _):
            return .none
        case (.opening, .opened(.encrypted(let id))):
            state = .open
            return .open(id)
        case (.opening, .encryptionMismatch(let wish)):
            state = .finished
            return .refuse(wish)
        case (.opening, _):
            state = .finished
            return .abort
        case (.open, .frame(let frame)):
            return .pass(frame)
        case (.open, .invalid(let error)):
            state = .finished
            return .reportInvalid(error)
        case (.open, _):
            state = .finished
            return .reportInvalid(ProtocolError(.unexpectedFrame, "The other side sent a data frame on a link."))
        }
    }

    /// The part that came last is handled.
    mutating func handled(at now: ContinuousClock.Instant) {
        isHandling = false
        lastHandling = now
    }

    /// Time has passed.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - unfinished: The time since which a frame has made no progress; nil if no frame is incomplete.
    /// - Returns: What to do.
    mutating func tick(at now: ContinuousClock.Instant, unfinishedSince unfinished: ContinuousClock.Instant?) -> OnTick
    {
        if isHandling { lastHandling = now }
        guard let unfinished, now - max(unfinished, lastHandling) >= stallTimeout else { return .none }
        return .abort
    }
}
