import CAvahi

/// Everything that a connection does: it owns the C objects and makes them anew when the daemon comes back.
///
/// Avahi's callbacks only put values into the inbox. The engine takes them out on its own, outside of every callback, so
/// that it may free a client or a resolver at any time.
actor AvahiEngine {
    private let inbox: AsyncStream<EngineEvent>
    let post: AsyncStream<EngineEvent>.Continuation

    private var poll: AvahiPoll?
    private(set) var client: ClientHandle?
    private var clientNumber: UInt64 = 0
    private var reconnecting = Backoff(first: .milliseconds(100), limit: .seconds(5))
    private var isClosed = false
    private var lastNumber: UInt64 = 0
    private var watchers: [UInt64: AsyncStream<ConnectionState>.Continuation] = [:]

    private(set) var state = ConnectionState.waitingForDaemon
    var publishers: [UInt64: Publisher] = [:]
    var browsers: [UInt64: Browser] = [:]

    init() {
        (inbox, post) = AsyncStream.makeStream()
    }

    /// Starts the event loop and connects to the bus; throws if there is none.
    func open() throws(AvahiError) {
        poll = try AvahiPoll()
        try connect()
    }

    /// Handles what comes in until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await event in inbox {
                if case .later(let event, let delay) = event {
                    group.addTask { [post] in
                        if (try? await Task.sleep(for: delay)) != nil { post.yield(event) }
                    }
                } else {
                    handle(event)
                }
            }
            group.cancelAll()
        }
    }

    /// Frees everything: the loop is stopped, then the client is freed with all its objects, then the loop.
    func close() {
        isClosed = true
        post.finish()
        poll?.stop()
        client?.close()
        for publisher in publishers.values { publisher.events.finish() }
        for browser in browsers.values { browser.events.finish() }
        for watcher in watchers.values { watcher.finish() }
        publishers = [:]
        browsers = [:]
        watchers = [:]
        client = nil
        poll = nil
    }

    /// Throws if the connection is closed.
    func checkOpen() throws(AvahiError) {
        guard !isClosed else { throw .closed }
    }

    /// Returns a number that was never used before.
    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Returns the states from now on, the present one first.
    func watchState() -> AsyncStream<ConnectionState> {
        let (stream, continuation) = AsyncStream<ConnectionState>.makeStream(bufferingPolicy: .bufferingNewest(16))
        guard !isClosed else {
            continuation.finish()
            return stream
        }
        let number = makeNumber()
        watchers[number] = continuation
        continuation.onTermination = { [post] _ in post.yield(.endWatching(watcher: number)) }
        continuation.yield(state)
        return stream
    }

    private func handle(_ event: EngineEvent) {
        guard !isClosed else { return }
        switch event {
        case .client(let number, let news): received(news, fromClient: number)
        case .entryGroup(let number, let publisher, let news): received(news, fromGroup: number, of: publisher)
        case .browser(let number, let browser, let news): received(news, fromBrowser: number, of: browser)
        case .resolver(let number, let browser, let key, let news):
            received(news, fromResolver: number, of: key, in: browser)
        case .connect: reconnect()
        case .publish(let publisher): publish(publisher)
        case .checkEstablished(let group, let publisher): checkEstablished(group, of: publisher)
        case .browse(let browser): browse(browser)
        case .resolve(let browser, let key): resolve(key, in: browser)
        case .endBrowsing(let browser): browsers[browser] = nil
        case .endWatching(let watcher): watchers[watcher] = nil
        case .later: break
        }
    }

    private func received(_ news: ClientNews, fromClient number: UInt64) {
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
        case AVAHI_CLIENT_CONNECTING:
            change(to: .waitingForDaemon)
        default:
            disconnect()
            change(to: .waitingForDaemon)
            // The daemon's end is told once, and a new client only waits for the next one: no need to hesitate then.
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
        clientNumber = makeNumber()
        client = try ClientHandle(
            poll: poll,
            callback: Callback { [post, clientNumber] news in post.yield(.client(clientNumber, news)) }
        )
    }

    private func disconnect() {
        client?.close()
        client = nil
        loseAll()
        withdrawAll()
    }

    private func change(to newState: ConnectionState) {
        guard newState != state else { return }
        state = newState
        for watcher in watchers.values { watcher.yield(newState) }
    }
}
