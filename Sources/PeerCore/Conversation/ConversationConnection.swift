import Logging
import NIOCore
package import PeerProtocol

/// A connection as a conversation sees it.
package protocol ConversationConnection: Sendable {
    /// The address and port of the peer, as text.
    var remoteAddress: String { get }
    /// The key under which connections from the peer's machine are counted.
    var addressKey: AddressKey { get }
    /// When the last byte came; nil if none has.
    var lastReceipt: ContinuousClock.Instant? { get }
    /// Whether both sides send small segments only, because longer packets get lost.
    var usesSmallSegments: Bool { get }

    /// Sends frames, in order, without waiting.
    ///
    /// `written` is called once, on any thread, when the system has taken the bytes or the connection is closed.
    func send(_ frames: [Frame], written: (@Sendable () -> Void)?)

    /// Sends a ping, and does not wait for the pong.
    func sendKeepAlive()

    /// Lets the peer send frames that are longer than control frames.
    func awaitLongFrames()

    /// Closes the connection when the peer has closed it, or when it has had a moment to read what was sent last.
    func finish()

    /// Closes the connection, and discards what was not sent.
    func abort()
}

extension ConversationConnection {
    /// False: packets of the usual length arrive.
    package var usesSmallSegments: Bool { false }

    /// Sends one frame without waiting.
    package func send(_ frame: Frame) { send([frame], written: nil) }
}

/// The connection of a transfer: the conversation and the transfer send on the same event loop, in order.
struct TransferConnection: ConversationConnection {
    let frames: FrameConnection
    /// How long the peer has to read what was sent last.
    let lingerTimeout: Duration
    let remoteAddress: String
    let addressKey: AddressKey

    init(_ frames: FrameConnection, _ configuration: ConnectionConfiguration) {
        self.frames = frames
        self.lingerTimeout = configuration.lingerTimeout
        // A closed connection no longer knows its address.
        self.remoteAddress = frames.remoteAddress
        self.addressKey = frames.addressKey
    }

    var lastReceipt: ContinuousClock.Instant? { frames.activity.last }
    var usesSmallSegments: Bool { frames.usesSmallSegments }

    func send(_ frames: [Frame], written: (@Sendable () -> Void)?) {
        for frame in frames { self.frames.send(.frame(frame)) }
    }

    func sendKeepAlive() { frames.send(.ping()) }
    func awaitLongFrames() { frames.awaitLongFrames() }
    func abort() { frames.abort() }

    func finish() {
        frames.channel.eventLoop.scheduleTask(in: TimeAmount(lingerTimeout)) { [frames] in frames.close() }
    }
}

extension ConversationDriver {
    /// Creates the driver of a connection that a transfer dials or accepts.
    static func ofTransfer(
        _ side: Conversation.Side,
        on connection: FrameConnection,
        local: LocalPeer,
        configuration: ConnectionConfiguration,
        environment: ConversationEnvironment,
        hasToken: Bool = false,
        logger: Logger
    ) -> ConversationDriver {
        let hello = local.hello(configuration, as: side)
        let machine = ConversationStateMachine(
            side,
            .transfer,
            hello: hello,
            hasToken: hasToken,
            nonce: .random(),
            times: Conversation.Times(configuration),
            at: .now
        )
        let connection = TransferConnection(connection, configuration)
        return ConversationDriver(machine, on: connection, environment: environment, logger: logger)
    }
}

extension ConversationEnvironment {
    /// Asks a trust store off the event loop, which it may block.
    init(offEventLoop trust: any TrustStore, slot: Slot? = nil, pairingFailures: AddressLockout.Shared? = nil) {
        self.init(
            slot: slot,
            now: { .now },
            trust: { id, name in
                try await EventLoopExecutor.offEventLoop { try await trust.trust(of: id, callingItself: name) }
            },
            pin: { peer in
                try await EventLoopExecutor.offEventLoop { try await trust.pin(peer.id, name: peer.displayName) }
            }
        )
        self.pairingFailures = pairingFailures
    }
}
