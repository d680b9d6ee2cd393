import Dispatch
import Glibc

/// Calls back when a socket can be read or written.
///
/// It watches a descriptor of its own, which is closed after the last callback, so that no other file gets its number meanwhile.
final class SocketWatch {
    private let reading: any DispatchSourceRead
    private let writing: any DispatchSourceWrite
    private var isWriting = false

    /// Watches a descriptor, which is closed at the end.
    init(_ descriptor: CInt, on queue: DispatchQueue, _ isReady: @escaping @Sendable () -> Void) {
        reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        // A second descriptor, for each source closes its own.
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        writing = DispatchSource.makeWriteSource(fileDescriptor: second < 0 ? descriptor : second, queue: queue)
        reading.setEventHandler(handler: isReady)
        writing.setEventHandler(handler: isReady)
        reading.setCancelHandler { close(descriptor) }
        writing.setCancelHandler { if second >= 0 { close(second) } }
        reading.resume()
    }

    deinit {
        reading.cancel()
        // A source that is suspended must not be released.
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
