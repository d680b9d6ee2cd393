import Foundation

/// A line to a sender that a test can hold in the middle of a transfer, so that what happens then happens in the middle.
///
/// Receivers connect to ``port``. What they say goes through at once; of what the sender says, a certain amount goes
/// through, and the rest when the line is released. Until then a trickle goes through, so that however long a test takes,
/// neither side believes that the other one is gone.
public final class HeldLine: Sendable {
    private struct State {
        var passed = 0
        var holdsAt: Int
        var isHeld = false
        var isSilent = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The port that receivers connect to.
    public let port: Int

    // The values are touched while the condition is locked only, by way of the lock in `state`.
    private let state: Locked<State>
    private let released = NSCondition()
    private let corruptedByte: Int?

    private init(port: Int, holdsAt: Int, corruptedByte: Int?) {
        self.port = port
        self.state = Locked(State(holdsAt: holdsAt))
        self.corruptedByte = corruptedByte
    }

    /// Makes a line to a port of this machine, calls `body` and cuts the line.
    ///
    /// - Parameters:
    ///   - target: The sender's port.
    ///   - count: After how many of the sender's bytes the line is held; nil for never.
    ///   - corruptedByte: Which of the sender's bytes is changed on its way; nil for none.
    ///   - body: Uses the line.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public static func with<Result>(
        to target: Int,
        holdingAfter count: Int? = nil,
        corrupting corruptedByte: Int? = nil,
        _ body: (HeldLine) async throws -> Result
    ) async throws -> Result {
        let box = Locked<HeldLine?>(nil)
        return try await RawServer.with { receiver in
            guard let line = box.withLock({ $0 }), let sender = try? RawConnection(toPort: target) else { return }
            line.join(receiver, sender)
        } _: { server in
            let line = HeldLine(port: server.port, holdsAt: count ?? .max, corruptedByte: corruptedByte)
            box.withLock { $0 = line }
            defer { line.release() }
            return try await body(line)
        }
    }

    /// Waits until the line is held.
    public func untilHeld() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if !state.isHeld { state.waiting.append(continuation) }
                return state.isHeld
            }
            if isHeld { continuation.resume() }
        }
    }

    /// Lets nothing through until the line is released.
    public func fallSilent() { state.withLock { $0.isSilent = true } }

    /// Lets everything through from now on.
    public func release() {
        released.lock()
        let waiting = state.withLock { state in
            state.holdsAt = .max
            defer { state.waiting = [] }
            return state.waiting
        }
        released.broadcast()
        released.unlock()
        for continuation in waiting { continuation.resume() }
    }

    private func join(_ receiver: RawConnection, _ sender: RawConnection) {
        Thread.detachNewThread {
            while case let bytes = receiver.read(), !bytes.isEmpty, sender.write(bytes) {}
            sender.finishWriting()
        }
        while case var bytes = sender.read(), !bytes.isEmpty {
            let passed = state.withLock { $0.passed }
            if let corruptedByte, (passed..<passed + bytes.count).contains(corruptedByte) {
                bytes[corruptedByte - passed] ^= 0x55
            }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = hold() ? min(Self.trickle, rest.count) : rest.count
                state.withLock { $0.passed += count }
                guard receiver.write(Array(rest.prefix(count))) else { return sender.end() }
                rest = rest.dropFirst(count)
            }
        }
        sender.end()
    }

    /// How many bytes pass a held line in each ``interval``: more than the 65,536 in a minute that a receiver expects, and so
    /// few that the middle of 65 MB lasts for an hour.
    private static let trickle = 4096
    /// How long a held line waits for its release before it lets the next bytes through, in seconds.
    private static let interval = 0.25

    /// Waits while the line is held, for a moment at most.
    ///
    /// - Returns: Whether it is still held.
    private func hold() -> Bool {
        released.lock()
        defer { released.unlock() }
        guard reportsHold() else { return false }
        _ = released.wait(until: Date(timeIntervalSinceNow: Self.interval))
        while reportsHold(), state.withLock({ $0.isSilent }) { released.wait() }
        return reportsHold()
    }

    /// Whether the line is held; tells whoever waits for it.
    private func reportsHold() -> Bool {
        let (isHeld, waiting) = state.withLock { state in
            state.isHeld = state.passed >= state.holdsAt
            defer { if state.isHeld { state.waiting = [] } }
            return (state.isHeld, state.isHeld ? state.waiting : [])
        }
        for continuation in waiting { continuation.resume() }
        return isHeld
    }
}
