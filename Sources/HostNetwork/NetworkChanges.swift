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
        let socket = Netlink.open(reporting: Self.groups)
        DispatchQueue(label: "HostNetwork.changes").async { [stopped = ends[0]] in
            while Self.waitForChange(on: socket, unless: stopped) { changed() }
            close(stopped)
            if let socket { close(socket) }
        }
    }

    deinit { stop() }

    /// Ends the reports; one that has begun may still come.
    package func stop() { if let end = stopper.withLockedValue({ $0.take() }) { close(end) } }

    /// Waits until something has changed and returns true; returns false when it is stopped.
    private static func waitForChange(on socket: CInt?, unless stopped: CInt) -> Bool {
        let timeout = socket == nil ? pollingInterval : -1
        // A negative descriptor is ignored.
        guard isSilent(stopped, and: socket ?? -1, for: timeout) else { return false }
        guard let socket else { return true }
        guard isSilent(stopped, and: -1, for: settlingTime) else { return false }
        Netlink.drain(socket)
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
}
