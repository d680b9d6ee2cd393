import CDBus
import Dispatch
import Glibc

/// Owns a connection, and performs calls and subscriptions.
///
/// Everything runs on one thread, which never waits for the bus.
actor DBusEngine {
    typealias Answer = Result<[DBusValue], DBusError>

    /// A call that has been sent.
    private enum Call {
        case sent
        case waiting(CheckedContinuation<Answer, Never>)
        /// The call ended before its caller began to wait for the answer.
        case ended(Answer)
    }

    private struct Subscription {
        var filter: DBusSignal.Filter
        var continuation: AsyncStream<DBusSignal>.Continuation
    }

    private let thread = BusThread()
    private var bus: BusHandle?
    private var watch: SocketWatch?
    private var calls: [UInt32: Call] = [:]
    private var subscriptions: [UInt64: Subscription] = [:]
    private var lastNumber: UInt64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Connects to a bus, and waits until it has accepted this program.
    func open(_ address: String, within limit: Duration) async throws(DBusError) {
        let bus = try BusHandle(address: address)
        guard let socket = bus.duplicateSocket() else {
            throw DBusError(.busUnavailable, "The address of D-Bus leads to no socket.")
        }
        self.bus = bus
        watch = SocketWatch(socket, on: thread.queue) { [weak self] in
            self?.assumeIsolated { $0.socketIsReady() }
        }
        let hello = DBusMethod(
            service: DBUS_SERVICE_DBUS,
            path: DBUS_PATH_DBUS,
            interface: DBUS_INTERFACE_DBUS,
            name: "Hello"
        )
        do throws(DBusError) {
            _ = try await call(hello, [], within: limit)
        } catch {
            close()
            guard error.code != .closed else { throw error }
            // A bus ends the connection of a user whom its policy denies.
            let isRefused = [.accessDenied, .connectionLost].contains(error.code)
            let code: DBusError.Code = isRefused ? .notAccepted : .busUnavailable
            throw DBusError(code, "D-Bus does not accept this program: \(error.message)", name: error.name)
        }
    }

    /// Calls a method and waits for the answer.
    func call(
        _ method: DBusMethod,
        _ arguments: [DBusValue],
        within limit: Duration,
        isCancellable: Bool = true
    ) async throws(DBusError) -> [DBusValue] {
        guard let bus else { throw .closed }
        guard calls.count < DBusLimits.pendingCalls else {
            throw DBusError(.refused, "Too many calls wait for an answer.")
        }
        let message = try MessageHandle(calling: method)
        try MessageWriter.write(arguments, to: message)
        let serial = try bus.send(message)
        // Before the caller waits below: a limit or a cancellation may end the call first.
        calls[serial] = .sent
        thread.run(after: limit) { [weak self] in
            self?.assumeIsolated { $0.finish(serial, .failure(Self.noAnswer(from: method))) }
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
                wait(for: serial, continuation)
            }
        } onCancel: {
            guard isCancellable else { return }
            thread.run { self.assumeIsolated { $0.finish(serial, .failure(.closed)) } }
        }
        return try answer.get()
    }

    /// Begins to report signals, for one task; they end with the connection.
    func signals(_ filter: DBusSignal.Filter) async throws(DBusError) -> AsyncStream<DBusSignal> {
        let rule = try filter.rule()
        lastNumber += 1
        let number = lastNumber
        let (stream, continuation) = AsyncStream.makeStream(
            of: DBusSignal.self,
            bufferingPolicy: .bufferingNewest(DBusLimits.unreadSignals)
        )
        continuation.onTermination = { [weak self, thread] _ in
            thread.run { [weak self] in self?.assumeIsolated { $0.endSignals(number, rule) } }
        }
        // Before the rule is sent, so that no signal is missed.
        subscriptions[number] = Subscription(filter: filter, continuation: continuation)
        do throws(DBusError) {
            _ = try await call(Self.onBus("AddMatch"), [.string(rule)], within: DBusLimits.answerTime)
        } catch {
            continuation.finish()
            throw error
        }
        return stream
    }

    /// Ends the connection, and with it all calls and signals.
    func close() { end(with: .closed) }

    /// Tells the bus that signals are no longer wanted, and ignores its answer.
    private func endSignals(_ number: UInt64, _ rule: String) {
        guard subscriptions.removeValue(forKey: number) != nil, let bus,
            let message = try? MessageHandle(calling: Self.onBus("RemoveMatch")),
            (try? MessageWriter.write([.string(rule)], to: message)) != nil
        else { return }
        _ = try? bus.send(message)
        transfer()
    }

    private func socketIsReady() { transfer() }

    /// Reads and writes, and handles what has arrived.
    private func transfer() {
        guard let bus else { return }
        bus.transfer()
        while let message = bus.next() { handle(message) }
        guard bus.isConnected else { return end(with: BusHandle.lost) }
        watch?.setWriting(bus.hasUnsent)
    }

    private func handle(_ message: MessageHandle) {
        switch message.read() {
        case .answer(let serial, let answer): finish(serial, answer)
        case .signal(let signal):
            for subscription in subscriptions.values where subscription.filter.matches(signal) {
                subscription.continuation.yield(signal)
            }
        case .call:
            if let refusal = message.refusal() { _ = try? bus?.send(refusal) }
        case .other: break
        }
    }

    /// Waits for the answer to a call, unless the call has ended already.
    private func wait(for serial: UInt32, _ continuation: CheckedContinuation<Answer, Never>) {
        if case .ended(let answer) = calls[serial] {
            calls[serial] = nil
            return continuation.resume(returning: answer)
        }
        calls[serial] = .waiting(continuation)
        transfer()
    }

    /// Ends one call; does nothing if it has ended.
    private func finish(_ serial: UInt32, _ answer: Answer) {
        switch calls[serial] {
        case .sent: calls[serial] = .ended(answer)
        case .waiting(let continuation):
            calls[serial] = nil
            continuation.resume(returning: answer)
        case .ended, nil: break
        }
    }

    private func end(with error: DBusError) {
        watch = nil
        bus?.close()
        bus = nil
        for serial in calls.keys { finish(serial, .failure(error)) }
        let subscriptions = subscriptions
        self.subscriptions = [:]
        for subscription in subscriptions.values { subscription.continuation.finish() }
    }

    private static func onBus(_ name: String) -> DBusMethod {
        DBusMethod(service: DBUS_SERVICE_DBUS, path: DBUS_PATH_DBUS, interface: DBUS_INTERFACE_DBUS, name: name)
    }

    private static func noAnswer(from method: DBusMethod) -> DBusError {
        DBusError(.timedOut, "\(method.service) did not answer in time (\(method.name)).")
    }
}

extension DBusEngine {
    /// The thread of an engine: its executor, which also watches the socket.
    final class BusThread: SerialExecutor {
        let queue = DispatchQueue(label: "DBus.engine")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }

        func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

        /// Runs work after all earlier work.
        func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

        /// Runs work after a delay.
        func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
            let (seconds, attoseconds) = delay.components
            let time =
                DispatchTime.now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
            queue.asyncAfter(deadline: time, execute: work)
        }
    }
}

extension DBusEngine {
    /// Calls back when a socket can be read or written.
    ///
    /// The watch has a descriptor of its own and closes it after the last callback. Until then, no other file can get its number.
    final class SocketWatch {
        private let reading: any DispatchSourceRead
        private let writing: any DispatchSourceWrite
        private var isWriting = false

        /// Watches a descriptor, which is closed at the end.
        init(_ descriptor: CInt, on queue: DispatchQueue, _ isReady: @escaping @Sendable () -> Void) {
            reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            // A second descriptor, because each source closes its own.
            let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            writing = DispatchSource.makeWriteSource(fileDescriptor: second < 0 ? descriptor : second, queue: queue)
            reading.setEventHandler(handler: isReady)
            writing.setEventHandler(handler: isReady)
            reading.setCancelHandler { Glibc.close(descriptor) }
            writing.setCancelHandler { if second >= 0 { Glibc.close(second) } }
            reading.resume()
        }

        deinit {
            reading.cancel()
            // Dispatch ends the process if a suspended source is released.
            if !isWriting { writing.resume() }
            writing.cancel()
        }

        /// Whether to call back when the socket can be written.
        func setWriting(_ isWriting: Bool) {
            guard isWriting != self.isWriting else { return }
            self.isWriting = isWriting
            if isWriting { writing.resume() } else { writing.suspend() }
        }
    }
}
