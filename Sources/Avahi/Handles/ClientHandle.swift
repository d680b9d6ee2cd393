import CAvahi
import Glibc

extension ClientHandle {
    /// An event of a client: its state, and the last error.
    struct News: Sendable {
        var state: AvahiClientState
        var error: Int32
    }
}

/// The owner of one client: a connection to the bus, and through it to the daemon.
final class ClientHandle {
    let poll: AvahiPoll
    private let callback: AvahiPoll.Callback<News>
    private var pointer: OpaquePointer?

    /// Connects to the bus.
    ///
    /// An absent daemon is no error: a callback reports when it starts.
    init(poll: AvahiPoll, callback: AvahiPoll.Callback<News>) throws(AvahiError) {
        self.poll = poll
        self.callback = callback
        var error: Int32 = 0
        self.pointer = poll.withLock { api in
            avahi_client_new(
                api,
                AVAHI_CLIENT_NO_FAIL,
                { client, state, userData in
                    let error = client.map { avahi_client_errno($0) } ?? 0
                    AvahiPoll.Callback<News>.deliver(News(state: state, error: error), to: userData)
                },
                callback.pointer,
                &error
            )
        }
        guard pointer != nil else { throw .translatingClientCreation(error) }
    }

    deinit { close() }

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

extension ClientHandle {
    /// The warnings that libavahi-client prints.
    ///
    /// The library subscribes to all signals of the bus itself, and writes a line to C's `stderr` for each signal that it does not
    /// know. One is `ActivatableServicesChanged` of newer buses, which is sent whenever a package is installed. The lines would
    /// disturb a terminal on which a program draws. The library has no setting for them, and its connection to the bus is private.
    enum Warnings {
        /// The start of such a line.
        private static let start = "WARNING: Unhandled message: interface=org.freedesktop.DBus,"

        /// Suppresses these lines, and nothing else; takes effect once for the process.
        static let areLeftOut: Bool = {
            // Look up the variable that all libraries share, wherever the linker has put it.
            guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "stderr") else { return false }
            let functions = cavahi_stream_functions(
                read: nil,
                write: { _, bytes, count in Warnings.write(bytes, count) },
                seek: nil,
                close: nil
            )
            guard let file = cavahi_open_stream(nil, "w", functions) else { return false }
            // As stderr: each call writes at once, and in one piece.
            setvbuf(file, nil, _IONBF, 0)
            symbol.assumingMemoryBound(to: UnsafeMutablePointer<FILE>?.self).pointee = file
            return true
        }()

        /// Writes bytes to standard error, unless they are one of these lines.
        private static func write(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
            guard let bytes, count > 0 else { return 0 }
            let all = UnsafeRawBufferPointer(start: bytes, count: count)
            if all.starts(with: start.utf8) { return count }
            var written = 0
            while written < count {
                let result = Glibc.write(STDERR_FILENO, bytes + written, count - written)
                if result < 0, errno == EINTR { continue }
                guard result > 0 else { break }
                written += result
            }
            return written
        }
    }
}
