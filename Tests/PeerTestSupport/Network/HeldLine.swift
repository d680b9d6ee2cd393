import Foundation

/// A line to a sender that a test can hold in the middle of a transfer, so that what happens then happens in the middle.
///
/// Receivers connect to ``port``. What they say goes through at once; of what the sender says, a certain amount goes
/// through, and the rest when the line is released.
public final class HeldLine: Sendable {
    private struct State {
        var passed = 0
        var holdsAt: Int
        var isHeld = false
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
            hold()
            let passed = state.withLock { state in
                defer { state.passed += bytes.count }
                return state.passed
            }
            if let corruptedByte, (passed..<passed + bytes.count).contains(corruptedByte) {
                bytes[corruptedByte - passed] ^= 0x55
            }
            guard receiver.write(bytes) else { break }
        }
        sender.end()
    }

    private func hold() {
        released.lock()
        defer { released.unlock() }
        while true {
            let (isHeld, waiting) = state.withLock { state in
                state.isHeld = state.passed >= state.holdsAt
                defer { if state.isHeld { state.waiting = [] } }
                return (state.isHeld, state.isHeld ? state.waiting : [])
            }
            for continuation in waiting { continuation.resume() }
            guard isHeld else { return }
            released.wait()
        }
    }
}
