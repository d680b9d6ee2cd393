import CAvahi

/// The owner of Avahi's event loop and of the thread that it runs on.
///
/// Every call into Avahi goes through ``withLock(_:)``, except in Avahi's callbacks: those run on the loop's thread with the lock
/// held, and only copy values into a stream. So a callback never waits, and a holder of the lock waits only for the daemon.
final class AvahiPoll {
    private let pointer: OpaquePointer

    init() throws(AvahiError) {
        _ = ClientHandle.Warnings.areLeftOut
        guard let pointer = avahi_threaded_poll_new() else { throw .translating(Int32(AVAHI_ERR_NO_MEMORY)) }
        guard avahi_threaded_poll_start(pointer) == 0 else {
            avahi_threaded_poll_free(pointer)
            throw .translating(Int32(AVAHI_ERR_OS))
        }
        self.pointer = pointer
    }

    /// The thread never owns a reference to the loop, so this never runs on it, where it would wait for itself.
    deinit { avahi_threaded_poll_free(pointer) }

    /// Calls `body` while the loop's thread is stopped; the only way to call Avahi.
    ///
    /// Calls must not be nested.
    func withLock<Result>(_ body: (UnsafePointer<CAvahi.AvahiPoll>?) -> Result) -> Result {
        avahi_threaded_poll_lock(pointer)
        defer { avahi_threaded_poll_unlock(pointer) }
        return body(avahi_threaded_poll_get(pointer))
    }

    /// Ends the thread: no callback runs after this.
    func stop() { _ = avahi_threaded_poll_stop(pointer) }
}

extension AvahiPoll {
    /// The target of the callbacks of a C object, which is their user data.
    ///
    /// The handle of the C object retains the callback as long as the object can call it, and releases it once, after the
    /// object is freed. Callbacks run with the lock held.
    final class Callback<News: Sendable>: Sendable {
        private let deliver: @Sendable (News) -> Void

        init(_ deliver: @escaping @Sendable (News) -> Void) { self.deliver = deliver }

        /// The pointer to hand to C.
        var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        /// Delivers news to the callback behind a pointer that came back from C.
        static func deliver(_ news: @autoclosure () -> News, to pointer: UnsafeMutableRawPointer?) {
            guard let pointer else { return }
            Unmanaged<Callback<News>>.fromOpaque(pointer).takeUnretainedValue().deliver(news())
        }
    }
}
