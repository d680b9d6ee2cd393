import CAvahi
import Synchronization

/// Owns a connection's C objects, and creates them again when the daemon comes back.
///
/// Avahi's callbacks only put values into the inbox. The engine takes them out on its own thread, outside of every callback,
/// so it can free a client or a resolver at any time.
///
/// A call to a daemon that does not answer blocks for up to 25 s. So all calls run on the engine's own thread, and callers stop
/// waiting after a moment. The thread continues when the daemon answers or libdbus gives up.
actor AvahiEngine {
    /// State that other threads can read while the engine's thread is blocked.
    private struct Known {
        var isClosed = false
        var state = ConnectionState.waitingForDaemon
        var lastNumber: UInt64 = 0
    }

    /// Creating a client takes longer than this only if the daemon does not answer.
    private static let usualTime: Duration = .seconds(5)
    // A daemon that hangs must not hold up the end of a program. The work is done all the same.
    /// How long a caller waits for the engine's thread.
    private static let patience: Duration = .milliseconds(150)

    nonisolated let post: EngineThread.Inbox
    private nonisolated let thread = EngineThread()
    private nonisolated let known = Mutex(Known())

    private var poll: AvahiPoll?
    private(set) var client: ClientHandle?
    private var clientNumber: UInt64 = 0
    private var reconnecting = Backoff(first: .milliseconds(100), limit: .seconds(5))
    private var watchers: [UInt64: AsyncStream<ConnectionState>.Continuation] = [:]

    var publishers: [UInt64: Publisher] = [:]
    var browsers: [UInt64: Browser] = [:]

    init() {
        post = EngineThread.Inbox(thread)
        post.connect(to: self)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The state of the connection.
    nonisolated var state: ConnectionState { known.withLock { $0.state } }

    private nonisolated var isClosed: Bool { known.withLock { $0.isClosed } }

    /// Whether the engine's thread waits for a daemon that does not answer.
    nonisolated var isBlocked: Bool { thread.isBlocked }

    /// Runs `work` on the engine's thread, after all earlier work.
    nonisolated func perform(_ work: @escaping @Sendable (isolated AvahiEngine) -> Void) {
        thread.run { self.assumeIsolated(work) }
    }

    /// Runs `work` as ``perform(_:)`` does and waits for its result.
    ///
    /// Returns nil if the work takes too long or the task is cancelled. The work is still done.
    nonisolated func result<Result: Sendable>(
        of work: @escaping @Sendable (isolated AvahiEngine) -> Result,
        within limit: Duration,
        evenIfCancelled: Bool = false
    ) async -> Result? {
        await FirstResult.of(limit: limit, evenIfCancelled: evenIfCancelled) { answer in
            perform { engine in answer(work(engine)) }
        }
    }

    /// Starts the event loop and connects to the bus; throws if there is none.
    ///
    /// A daemon that does not answer is treated as one that does not run.
    nonisolated func open(within limit: Duration) async throws {
        let opened = await result(
            of: { engine -> Result<Void, AvahiError> in
                do throws(AvahiError) {
                    engine.poll = try AvahiPoll()
                    try engine.connect()
                    return .success(())
                } catch {
                    return .failure(error)
                }
            },
            within: limit
        )
        // The caller no longer waits, so a later error would be lost. The connection is retried when the call has ended.
        guard let opened else { return post.yield(.connect) }
        try opened.get()
    }

    /// Stops the loop, then frees the client with all its objects, then the loop.
    nonisolated func close() async {
        // First, so that no event of an object that is being freed is handled.
        let wasClosed = known.withLock { known in
            defer { known.isClosed = true }
            return known.isClosed
        }
        guard !wasClosed else { return }
        _ = await result(of: { $0.free() }, within: Self.patience, evenIfCancelled: true)
    }

    private func free() {
        for publisher in publishers.values { publisher.events.finish() }
        for browser in browsers.values { browser.events.finish() }
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
        poll?.stop()
        // Close the client first: after that, freeing its objects makes no calls to the daemon.
        client?.close()
        publishers = [:]
        browsers = [:]
        client = nil
        poll = nil
    }

    /// Throws if the connection is closed.
    nonisolated func checkOpen() throws(AvahiError) {
        guard !isClosed else { throw .closed }
    }

    /// Returns a number that this connection has not used before.
    nonisolated func makeNumber() -> UInt64 {
        known.withLock { known in
            known.lastNumber += 1
            return known.lastNumber
        }
    }

    /// Returns the current state and all later ones.
    nonisolated func watchState() -> AsyncStream<ConnectionState> {
        // A reader that falls behind needs only the newest states.
        let (stream, continuation) = AsyncStream<ConnectionState>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let number = makeNumber()
        continuation.onTermination = { [post] _ in post.yield(.endWatching(watcher: number)) }
        perform { engine in
            guard !engine.isClosed else { return continuation.finish() }
            engine.watchers[number] = continuation
            continuation.yield(engine.state)
        }
        return stream
    }

    /// Ends publishing and waits a moment for the daemon's goodbye packets.
    nonisolated func endPublishing(_ number: UInt64) async {
        _ = await result(of: { $0.removePublisher(number) }, within: Self.patience, evenIfCancelled: true)
    }

    /// Handles an event on the engine's thread.
    func handle(_ event: Event) {
        guard !isClosed else { return }
        switch event {
        case .client(let number, let news): received(news, fromClient: number)
        case .entryGroup(let number, let publisher, let news): received(news, fromGroup: number, of: publisher)
        case .browser(let number, let browser, let news): received(news, fromBrowser: number, of: browser)
        case .resolver(let number, let browser, let key, let news):
            received(news, fromResolver: number, of: key, in: browser)
        case .connect: reconnect()
        case .renew(let number): renew(number)
        case .publish(let publisher): publish(publisher)
        case .checkEstablished(let group, let publisher): checkEstablished(group, of: publisher)
        case .browse(let browser): browse(browser)
        case .resolve(let browser, let key): resolve(key, in: browser)
        case .endBrowsing(let browser): browsers[browser] = nil
        case .endWatching(let watcher): watchers[watcher] = nil
        case .later(let event, let delay): post.yield(event, after: delay)
        }
    }

    private func received(_ news: ClientHandle.News, fromClient number: UInt64) {
        guard number == clientNumber, client != nil else { return }
        switch news.state {
        case AVAHI_CLIENT_S_RUNNING:
            reconnecting.reset()
            change(to: .running)
            browseAll()
            publishAll()
        case AVAHI_CLIENT_S_REGISTERING:
            change(to: .registering)
            withdrawAll()
            browseAll()
        case AVAHI_CLIENT_S_COLLISION:
            change(to: .hostNameCollision)
            withdrawAll()
            browseAll()
        case AVAHI_CLIENT_CONNECTING: change(to: .waitingForDaemon)
        default:
            disconnect()
            change(to: .waitingForDaemon)
            // The end of the daemon is reported once, and a new client only waits for the next daemon: no delay is needed.
            if Int(news.error) == AVAHI_ERR_DISCONNECTED {
                reconnect()
            } else {
                post.yield(.later(.connect, reconnecting.delay()))
            }
        }
    }

    private func reconnect() {
        guard client == nil else { return }
        do {
            try connect()
        } catch {
            if error.code == .busUnavailable { change(to: .waitingForBus) }
            post.yield(.later(.connect, reconnecting.delay()))
        }
    }

    private func connect() throws(AvahiError) {
        guard let poll else { throw .closed }
        // libavahi-client calls back while it creates the client, so the number must be known before.
        clientNumber = makeNumber()
        let start = ContinuousClock.now
        client = try ClientHandle(
            poll: poll,
            callback: AvahiPoll.Callback { [post, clientNumber] news in post.yield(.client(clientNumber, news)) }
        )
        // libavahi-client treats a daemon that hangs like one that does not run, and waits for its start.
        if ContinuousClock.now - start > Self.usualTime {
            post.yield(.later(.renew(client: clientNumber), reconnecting.delay()))
        }
    }

    private func renew(_ number: UInt64) {
        guard number == clientNumber, client != nil, !state.isConnected else { return }
        disconnect()
        reconnect()
    }

    private func disconnect() {
        client?.close()
        client = nil
        loseAll()
        withdrawAll()
    }

    private func change(to newState: ConnectionState) {
        guard newState != state else { return }
        known.withLock { $0.state = newState }
        for watcher in watchers.values { watcher.yield(newState) }
    }
}

extension AvahiEngine {
    /// An event that the engine handles; it handles one at a time.
    ///
    /// The numbers distinguish events of an object from events of the objects before it.
    enum Event: Sendable {
        /// An event of the client with this number.
        case client(UInt64, ClientHandle.News)
        /// An event of a publisher's entry group with this number.
        case entryGroup(UInt64, publisher: UInt64, EntryGroupHandle.News)
        /// An event of a browser's handle with this number.
        case browser(UInt64, browser: UInt64, BrowserHandle.News)
        /// An event of the resolver with this number, for a service that a browser has found.
        case resolver(UInt64, browser: UInt64, ServiceKey, ResolverHandle.News)
        /// Create a client.
        case connect
        /// Replace the client with this number unless it has reached the daemon.
        case renew(client: UInt64)
        /// Announce a publisher's service.
        case publish(publisher: UInt64)
        /// The time in which an entry group must be established is over.
        case checkEstablished(group: UInt64, publisher: UInt64)
        /// Start a browser.
        case browse(browser: UInt64)
        /// Resolve a service.
        case resolve(browser: UInt64, ServiceKey)
        /// End a browser.
        case endBrowsing(browser: UInt64)
        /// End an observer of the state.
        case endWatching(watcher: UInt64)
        /// Handle another event after some time.
        indirect case later(Event, Duration)
    }
}

extension AvahiEngine {
    /// The delay before the next attempt; it grows with every attempt, up to a limit.
    struct Backoff: Sendable {
        private var next: Duration
        private let first: Duration
        private let limit: Duration

        init(first: Duration, limit: Duration) {
            self.next = first
            self.first = first
            self.limit = limit
        }

        /// Returns the next delay.
        mutating func delay() -> Duration {
            defer { next = min(next * 2, limit) }
            return next
        }

        /// Starts again with the shortest delay, after a success.
        mutating func reset() { next = first }
    }
}
