import Glibc
import HostNetwork
package import PeerCore
import Synchronization

/// Answers other machines that ask what this one sees of them, while it listens on a port.
///
/// It waits for packets of multicast DNS without doing anything, and changes its sockets when the networks of this machine change.
package struct ViewService: Sendable {
    /// Wakes the waiting thread.
    private final class Wake: Sendable {
        /// The end of a pipe that can be read when there is something to do.
        let descriptor: CInt
        private let writer: CInt
        let isOver = Atomic(false)

        init?() {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            (descriptor, writer) = (ends[0], ends[1])
        }

        deinit {
            close(descriptor)
            close(writer)
        }

        /// A full pipe wakes the thread, too.
        func call() { _ = write(writer, [UInt8(0)], 1) }

        func end() {
            isOver.store(true, ordering: .sequentiallyConsistent)
            call()
        }

        func clear() {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(descriptor, &bytes, bytes.count) > 0 {}
        }
    }

    private let port: UInt16
    private let ownPort: UInt16
    private let application: PeerServiceType
    private let look: @Sendable () -> [InterfaceFacts]

    /// Creates the service of a machine that listens; nil if its application has no port of its own.
    package init?(port: Int, for application: PeerServiceType) {
        self.init(port: port, for: application) { Interfaces.read() }
    }

    /// Creates it for interfaces that `look` returns after each change of networks.
    init?(port: Int, for application: PeerServiceType, looking look: @escaping @Sendable () -> [InterfaceFacts]) {
        guard let port = UInt16(exactly: port), let ownPort = application.defaultPort.flatMap({ UInt16(exactly: $0) })
        else {
            return nil
        }
        (self.port, self.ownPort, self.application, self.look) = (port, ownPort, application, look)
    }

    /// Answers until the task is cancelled.
    ///
    /// - Parameter tell: Is called on another thread when a machine has asked that cannot connect: its address as text, and what it
    ///   was answered. It is called once for each machine, and for a few machines in all.
    package func run(telling tell: @escaping @Sendable (_ address: String, _ view: PeerView) -> Void) async {
        guard let wake = Wake() else { return }
        let changes = NetworkChanges { wake.call() }
        defer { changes.stop() }
        await withTaskCancellationHandler {
            await BlockingWork.run { [port, ownPort, application, look] _ in
                var answering = ViewAnswering(port: port, ownPort: ownPort, application: application, tell: tell)
                defer { answering.close() }
                answering.listen(on: look())
                while !wake.isOver.load(ordering: .sequentiallyConsistent) {
                    if answering.waitAndAnswer(orUntil: wake.descriptor) {
                        wake.clear()
                        answering.listen(on: look())
                    }
                }
            }
        } onCancel: {
            wake.end()
        }
    }
}
