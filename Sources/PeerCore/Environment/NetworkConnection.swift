import Logging
import NIOConcurrencyHelpers
import NIOCore
package import PeerProtocol

/// A connection over TCP and TLS.
///
/// The tasks that run it are on the event loop of its socket, so the handler of its events must not block.
package struct NetworkConnection: PeerConnection {
    /// The address and port of the peer, as text.
    package let remoteAddress: String
    /// The key under which connections from the peer's machine are counted.
    package let addressKey: AddressKey
    let frames: FrameConnection
    /// The new owner of the connection; nil while it has none.
    private let handover = NIOLockedValueBox<ConnectionHandover?>(nil)
    private let receivers: NetworkTransport.Receivers?
    private let configuration: ConnectionConfiguration
    private let logger: Logger
    private let machine: NIOLockedValueBox<StallStateMachine>
    private let outgoing = OutgoingQueue()
    private let pacing = NIOLockedValueBox(WritePacing())

    init(
        _ frames: FrameConnection,
        configuration: ConnectionConfiguration,
        handingOverTo receivers: NetworkTransport.Receivers? = nil,
        logger: Logger
    ) {
        self.frames = frames
        self.receivers = receivers
        self.configuration = configuration
        // A closed connection no longer knows its address.
        self.remoteAddress = frames.remoteAddress
        self.addressKey = frames.addressKey
        var logger = logger
        logger[metadataKey: "address"] = "\(frames.remoteAddress)"
        self.logger = logger
        self.machine = NIOLockedValueBox(
            StallStateMachine(
                stallTimeout: configuration.stallTimeout,
                silenceTimeout: configuration.silenceTimeout,
                at: .now
            )
        )
        frames.activity.frames.begin(logger)
    }

    /// When the last byte came; nil if none has.
    package var lastReceipt: ContinuousClock.Instant? { frames.activity.last }
    package var usesSmallSegments: Bool { frames.usesSmallSegments }

    private var eventLoop: any EventLoop { frames.channel.eventLoop }

    /// Receives events, one at a time and in order, until the connection is closed; closes it when the task is cancelled.
    ///
    /// A connection on which the peer leaves a frame unfinished for too long, or does not read what waits for it, is aborted. After
    /// ``handOver(_:)``, the inputs go to the new owner.
    package func run(_ handle: @escaping @Sendable (PeerConnectionEvent) async -> Void) async {
        await withTaskExecutorPreference(EventLoopExecutor.of(eventLoop)) {
            var receiver: (any InboundReceiver)?
            var isValid = true
            defer { frames.shortcut.set(nil) }
            do {
                try await frames.asyncChannel.executeThenClose { inbound in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await watch() }
                        defer { group.cancelAll() }
                        for try await input in inbound {
                            if let receiver {
                                await receiver.received(input)
                                continue
                            }
                            // The rest is read and ignored: unread bytes would reset the connection before the peer has read the
                            // last word.
                            guard isValid else { continue }
                            isValid = await received(input, handle)
                            frames.shortcut.handled()
                            // A handover is decided while an input is handled, so the next input already belongs to the
                            // new receiver.
                            guard let handover = handover.withLockedValue({ $0 }) else { continue }
                            // What was sent until now waits for the event loop, and what the next one sends there does not.
                            try? await eventLoop.submit {}.get()
                            receiver = await receivers?.take(frames, handover)
                            guard receiver != nil else { return abort() }
                            // The new owner looks for stalls itself.
                            group.cancelAll()
                        }
                    }
                }
                await receiver?.transportClosed(nil)
            } catch {
                logger.debug("connection closed", metadata: ["error": "\(error)"])
                await receiver?.transportClosed(error)
            }
        }
    }

    /// Hands the connection over; what comes next does not come here any more.
    ///
    /// To be called while an event is handled. A connection without a receiver is closed.
    package func handOver(_ handover: ConnectionHandover) { self.handover.withLockedValue { $0 = handover } }

    /// Handles an input; returns whether the peer keeps to the protocol.
    private func received(_ input: Inbound, _ handle: @Sendable (PeerConnectionEvent) async -> Void) async -> Bool {
        machine.withLockedValue { $0.received() }
        defer { machine.withLockedValue { $0.handled(at: .now) } }
        switch input {
        case .opened(.encrypted(let id)):
            write([.preface], promise: nil)
            await handle(.opened(id, certificate: frames.certificateDER ?? []))
        case .frame(let frame): await handle(.frame(frame))
        case .invalid(let error):
            await handle(.invalid(error))
            return false
        case .encryptionMismatch(let wish):
            logger.debug("connection refused: no agreement on encryption")
            write([.preface], promise: nil)
            await handle(.encryptionMismatch(Failure(encryptionMismatch: wish)))
        case .opened(.plainText): abort()
        case .dataHeader, .data:
            await handle(.invalid(ProtocolError(.unexpectedFrame, "The other side sent a data frame on a link.")))
            return false
        }
        return true
    }

    /// Aborts the connection when its peer stalls.
    private func watch() async throws {
        // A stall is noticed late by at most an eighth of its limit.
        let interval = max(.milliseconds(5), min(configuration.stallTimeout, configuration.silenceTimeout) / 8)
        while true {
            try await Task.sleep(for: interval)
            var arrived: UInt64?
            if machine.withLockedValue({ $0.isWriting }) {
                // Some systems do not count, and say 0.
                arrived = await SocketTuning.statistics(of: frames.channel)?.acknowledged
                if arrived == 0 { arrived = nil }
            }
            let unfinished = frames.activity.unfinishedSince
            let isStalled = machine.withLockedValue { [arrived] in
                $0.tick(at: .now, unfinishedSince: unfinished, arrived: arrived)
            }
            guard isStalled else { continue }
            logger.debug("connection aborted: the peer does not finish a frame, or does not read")
            abort()
        }
    }

    /// Closes the connection if the peer does not close it soon; until then, the peer can read what it was sent last.
    package func finish() {
        eventLoop.scheduleTask(in: TimeAmount(configuration.lingerTimeout)) { frames.close() }
    }

    /// Sends frames, in order, without waiting.
    package func send(_ frames: [Frame], written: (@Sendable () -> Void)?) {
        var promise: EventLoopPromise<Void>?
        if let written {
            let done = eventLoop.makePromise(of: Void.self)
            let length = frames.reduce(0) { $0 + $1.burstLength }
            done.futureResult.whenComplete { [eventLoop, pacing] result in
                // A closed connection writes nothing more, so nothing is gained by a pause.
                guard case .success = result,
                    let pause = pacing.withLockedValue({ $0.pause(afterWriting: length, at: .now()) })
                else { return written() }
                eventLoop.scheduleTask(in: pause, written)
            }
            promise = done
        }
        write(frames.map { .frame($0) }, promise: promise)
    }

    /// Sends a ping and waits for its pong; nil if the connection was closed, or the task cancelled, before.
    ///
    /// Both sides must have said hello before.
    package func roundTrip() async -> Duration? {
        let answered = eventLoop.makePromise(of: Void.self)
        let sent = eventLoop.makePromise(of: Void.self)
        // Once the connection is closed, nothing else fails the ping.
        sent.futureResult.cascadeFailure(to: answered)
        let start = ContinuousClock.now
        let duration = answered.futureResult.map { ContinuousClock.now - start }
        write([.ping(answered: answered)], promise: sent)
        return await withTaskCancellationHandler {
            try? await duration.get()
        } onCancel: {
            answered.fail(CancellationError())
        }
    }

    /// Sends a ping, and does not wait for the pong; nothing is sent if the last one has not left yet.
    package func sendKeepAlive() {
        guard machine.withLockedValue({ $0.keepAliveIsDue() }) else { return }
        let sent = eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { [machine] _ in machine.withLockedValue { $0.keepAliveWritten() } }
        write([.ping()], promise: sent)
    }

    /// Writes outputs with one flush.
    ///
    /// All outputs go through one queue, also on the thread of the event loop: what is sent later on one thread must not overtake
    /// what was sent before on another one.
    private func write(_ outputs: [Outbound], promise: EventLoopPromise<Void>?) {
        let written = promise ?? eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { [machine] _ in machine.withLockedValue { $0.written(at: .now) } }
        machine.withLockedValue { $0.writes(at: .now) }
        let isFirst = outgoing.add(outputs, written)
        if eventLoop.inEventLoop {
            writeQueued()
        } else if isFirst {
            eventLoop.execute(writeQueued)
        }
    }

    /// Writes what waits in the queue; called on the event loop.
    @Sendable private func writeQueued() {
        guard outgoing.begin() else { return }
        let channel = frames.channel
        while let writes = outgoing.takeAll() {
            // TLS keeps a buffer for all bytes that are flushed together.
            var unflushed = 0
            for (outputs, written) in writes {
                for (index, output) in outputs.enumerated() {
                    let length = if case .frame(let frame) = output { frame.burstLength } else { 0 }
                    if unflushed + length > FrameHandler.flushLength {
                        channel.flush()
                        unflushed = 0
                    }
                    unflushed += length
                    channel.write(output, promise: index == outputs.count - 1 ? written : nil)
                }
                if outputs.isEmpty { written.succeed() }
            }
            channel.flush()
        }
    }

    /// Passes the frames of a link to `take` on the event loop on which they arrive, in one step for each read.
    package func passLinkFrames(to take: @escaping @Sendable ([Frame]) -> Bool) { frames.shortcut.set(take) }

    /// Lets the peer send frames that are longer than control frames.
    package func awaitLongFrames() {
        // Now it is known that an accepted connection carries a link.
        if receivers != nil { SocketTuning.useForLink(frames.channel) }
        frames.awaitLongFrames()
    }

    /// Closes the connection, and discards what was not sent.
    package func abort() { frames.abort() }
}
