import Dispatch
import Glibc

/// Calls back when a socket can be read or written.
///
/// The watch has a descriptor of its own and closes it after the last callback. Until then, no other file can get its
/// number.
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
        reading.setCancelHandler { close(descriptor) }
        writing.setCancelHandler { if second >= 0 { close(second) } }
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
