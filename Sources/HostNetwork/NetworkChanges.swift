import Dispatch
import Glibc
import NIOConcurrencyHelpers

/// The changes of this machine's network interfaces and addresses, as the kernel reports them (rtnetlink(7)).
///
/// Where the kernel does not report them, as in some sandboxes, a change is assumed every two seconds.
package final class NetworkChanges: Sendable {
    /// How long to wait after a change, in milliseconds: one change is usually followed by others.
    private static let settlingTime: CInt = 300
    private static let pollingInterval: CInt = 2000

    // From linux/rtnetlink.h: links, and addresses of IPv4 and IPv6.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x100
    private static let netlinkFamily: UInt16 = 16
    private static let routeProtocol: CInt = 0

    /// The end of a pipe whose closing ends the thread; nil after that.
    private let stopper: NIOLockedValueBox<CInt?>

    /// Calls `changed` on a thread of its own after every change, until ``stop()`` is called.
    package init(_ changed: @escaping @Sendable () -> Void) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            stopper = NIOLockedValueBox(nil)
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopper = NIOLockedValueBox(ends[1])
        // Opened here, so that nothing is missed after this returns.
        let socket = Self.openSocket()
        DispatchQueue(label: "HostNetwork.changes").async { [stopped = ends[0]] in
            while Self.waitForChange(on: socket, unless: stopped) { changed() }
            close(stopped)
            if let socket { close(socket) }
        }
    }

    deinit {
        stop()
    }

    /// Ends the reports; one that has begun may still come.
    package func stop() {
        if let end = stopper.withLockedValue({ $0.take() }) { close(end) }
    }

    /// Waits until something has changed and returns true; returns false when it is stopped.
    private static func waitForChange(on socket: CInt?, unless stopped: CInt) -> Bool {
        let timeout = socket == nil ? pollingInterval : -1
        // A negative descriptor is ignored.
        guard isSilent(stopped, and: socket ?? -1, for: timeout) else { return false }
        guard let socket else { return true }
        guard isSilent(stopped, and: -1, for: settlingTime) else { return false }
        drain(socket)
        return true
    }

    /// Waits for either of two descriptors or the end of a time; returns whether the first is still silent.
    private static func isSilent(_ first: CInt, and second: CInt, for timeout: CInt) -> Bool {
        while true {
            var waiting = [
                pollfd(fd: first, events: CShort(POLLIN), revents: 0),
                pollfd(fd: second, events: CShort(POLLIN), revents: 0),
            ]
            let count = poll(&waiting, nfds_t(waiting.count), timeout)
            if count < 0, errno == EINTR { continue }
            return count >= 0 && waiting[0].revents == 0
        }
    }

    private static func openSocket() -> CInt? {
        let type = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(CInt(netlinkFamily), type, routeProtocol)
        guard socket >= 0 else { return nil }
        // sockaddr_nl: family and padding, port id (0: the kernel chooses), groups.
        let address = (netlinkFamily, UInt16(0), UInt32(0), groups)
        let result = withUnsafeBytes(of: address) { bytes in
            bind(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard result == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Reads all messages; their content does not matter.
    private static func drain(_ socket: CInt) {
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            // If messages were lost because there were too many (ENOBUFS), those that are left can be read.
            guard count > 0 || count < 0 && (errno == EINTR || errno == ENOBUFS) else { return }
        }
    }
}
