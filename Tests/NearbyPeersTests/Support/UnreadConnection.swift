import NIOCore
import PeerCore
import PeerTestSupport

/// A connection to a peer that reads nothing until a test says so.
final class UnreadConnection: PeerConnection {
    private let sent = Locked<[Frame]>([])
    private let waiting = Locked<[@Sendable () -> Void]>([])

    let remoteAddress = "192.0.2.1:1"
    let addressKey = AddressKey(nil)
    let lastReceipt: ContinuousClock.Instant? = nil

    /// What was sent, read or not.
    var frames: [Frame] { sent.value }

    /// The system takes all that waits.
    func take() {
        let calls = waiting.withLock { calls in
            defer { calls = [] }
            return calls
        }
        for call in calls { call() }
    }

    func send(_ frames: [Frame], written: (@Sendable () -> Void)?) {
        sent.withLock { $0 += frames }
        if let written { waiting.withLock { $0.append(written) } }
    }

    func run(_ handle: @escaping @Sendable (PeerConnectionEvent) async -> Void) async {}
    func roundTrip() async -> Duration? { nil }
    func sendKeepAlive() {}
    func awaitLongFrames() {}
    func finish() {}
    func abort() {}
}
