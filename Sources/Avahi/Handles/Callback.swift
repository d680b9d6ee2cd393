/// The target of the callbacks of a C object, which is their user data.
///
/// The handle of the C object retains the callback as long as the object can call it, and releases it once, after the
/// object is freed. Callbacks run with the lock held.
final class Callback<News: Sendable>: Sendable {
    private let deliver: @Sendable (News) -> Void

    init(_ deliver: @escaping @Sendable (News) -> Void) {
        self.deliver = deliver
    }

    /// The pointer to hand to C.
    var pointer: UnsafeMutableRawPointer {
        Unmanaged.passUnretained(self).toOpaque()
    }

    /// Delivers news to the callback behind a pointer that came back from C.
    static func deliver(_ news: @autoclosure () -> News, to pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        Unmanaged<Callback<News>>.fromOpaque(pointer).takeUnretainedValue().deliver(news())
    }
}
