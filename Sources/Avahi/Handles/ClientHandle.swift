import CAvahi

/// An event of a client: its state, and the last error.
struct ClientNews: Sendable {
    var state: AvahiClientState
    var error: Int32
}

/// The owner of one client: a connection to the bus, and through it to the daemon.
final class ClientHandle {
    let poll: AvahiPoll
    private let callback: Callback<ClientNews>
    private var pointer: OpaquePointer?

    /// Connects to the bus.
    ///
    /// An absent daemon is no error: a callback reports when it starts.
    init(poll: AvahiPoll, callback: Callback<ClientNews>) throws(AvahiError) {
        self.poll = poll
        self.callback = callback
        var error: Int32 = 0
        self.pointer = poll.withLock { api in
            avahi_client_new(
                api,
                AVAHI_CLIENT_NO_FAIL,
                { client, state, userData in
                    let error = client.map { avahi_client_errno($0) } ?? 0
                    Callback<ClientNews>.deliver(ClientNews(state: state, error: error), to: userData)
                },
                callback.pointer,
                &error
            )
        }
        guard pointer != nil else { throw .translatingClientCreation(error) }
    }

    deinit {
        close()
    }

    /// Frees the client, and with it every object that was created from it.
    ///
    /// The client leaves the bus first. So libavahi-client does not ask the daemon to free each object, which would
    /// block if the daemon hangs.
    func close() {
        guard let pointer else { return }
        self.pointer = nil
        poll.withLock { _ in avahi_client_free(pointer) }
    }

    /// Calls `body` with the client while the lock is held; nil if it is closed.
    func withClient<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
        guard let pointer else { return nil }
        return poll.withLock { _ in body(pointer) }
    }

    /// Creates an object of this client, or throws the client's last error.
    func create(_ body: (OpaquePointer) -> OpaquePointer?) throws(AvahiError) -> OpaquePointer {
        var error: Int32 = 0
        let created = withClient { client -> OpaquePointer? in
            let created = body(client)
            error = created == nil ? avahi_client_errno(client) : 0
            return created
        }
        guard let created else { throw .closed }
        guard let object = created else { throw .translating(error) }
        return object
    }
}
