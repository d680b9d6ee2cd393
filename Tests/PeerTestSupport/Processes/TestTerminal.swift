import Foundation
import Glibc

/// A terminal that a program runs in: what it writes can be waited for, and keys can be pressed.
public final class TestTerminal: Sendable {
    private struct State {
        var text = ""
        var isComplete = false
        var waiting: [(condition: @Sendable (String) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    // The functions for this are hidden from Swift; these requests are what they make. (ioctl_tty(2).)
    private static let unlockRequest: UInt = 0x4004_5431
    private static let numberRequest: UInt = 0x8004_5430

    /// The program in the terminal.
    public let child: ChildProcess

    private let descriptor: Int32
    private let state = Locked(State())

    /// Everything that was written so far.
    public var text: String { state.withLock { $0.text } }

    private init(child: ChildProcess, descriptor: Int32) {
        self.child = child
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Starts a program in a terminal of its own, calls `body` and kills the program if it still runs then.
    public static func with<Result>(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String?] = [:],
        columns: UInt16 = 100,
        rows: UInt16 = 30,
        _ body: (TestTerminal) async throws -> Result
    ) async throws -> Result {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: Int32 = 0
        guard descriptor >= 0, ioctl(descriptor, unlockRequest, &locked) == 0,
            ioctl(descriptor, numberRequest, &number) == 0
        else { throw ChildProcess.Failure(description: "no terminal: \(String(cString: strerror(errno)))") }
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
        // A session of its own, so that Ctrl-C is for this program.
        let script = #"exec setsid -c "$@" <"$0" >"$0" 2>"$0""#
        return try await ChildProcess.with(
            "sh",
            ["-c", script, "/dev/pts/\(number)", executable] + arguments,
            environment: environment.merging(["TERM": "xterm"]) { given, _ in given }
        ) { child in
            let terminal = TestTerminal(child: child, descriptor: descriptor)
            Thread.detachNewThread { terminal.readAll() }
            return try await body(terminal)
        }
    }

    /// Waits until what was written so far meets a condition; throws if the program ends without.
    public func wait(where condition: @escaping @Sendable (String) -> Bool) async throws {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.isComplete || condition(state.text) { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        guard condition(text) else {
            throw ChildProcess.Failure(
                description: "\(child.command) ended without what was expected. It wrote:\n\(text)"
            )
        }
    }

    /// Waits until a text was written.
    public func wait(for expected: String) async throws {
        try await wait { $0.contains(expected) }
    }

    /// Changes the size of the window, which the program is told of.
    public func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Presses keys.
    public func type(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw ChildProcess.Failure(description: "cannot type: \(String(cString: strerror(errno)))")
        }
    }

    /// Waits for the end of the program and of its output.
    public func complete() async throws -> (status: ExitStatus, text: String) {
        let status = await child.waitForExit()
        await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                if !state.isComplete { state.waiting.append(({ _ in false }, continuation)) }
                return state.isComplete
            }
            if isComplete { continuation.resume() }
        }
        return (status, text)
    }

    private func readAll() {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            // A terminal whose last program has gone is an error to read from.
            guard count > 0 else { break }
            bytes += chunk[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            update { $0.text = text }
        }
        update { $0.isComplete = true }
    }

    private func update(_ change: (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            let (text, isComplete) = (state.text, state.isComplete)
            let due = state.waiting.filter { isComplete || $0.condition(text) }
            state.waiting.removeAll { isComplete || $0.condition(text) }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }
}
