import Glibc
import HostNetwork

/// Asks the multicast DNS of one machine by unicast (RFC 6762, section 5.5).
///
/// Its port is open on most machines that announce something, so an answer shows that the network passes packets in both directions.
enum DirectQuestion {
    /// The times of the questions, after the start; one packet may get lost.
    private static let questionTimes: [Duration] = [.zero, .milliseconds(400)]
    /// How long to wait for an answer.
    private static let patience: Duration = .milliseconds(1200)
    /// How long each wait lasts, in milliseconds, before a cancelled task is noticed.
    private static let slice: CInt = 50

    /// Asks, and says whether any answer came.
    ///
    /// - Parameter scope: The number of the interface, for an IPv6 link-local address; otherwise 0.
    static func isAnswered(_ question: [UInt8], at address: IPAddress, scope: UInt32) async -> Bool {
        await BlockingWork.run { isCancelled in
            let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            // A connected socket gets packets of that machine and port only.
            let result = address.withSocketAddress(port: MulticastSocket.port, scope: scope) {
                connect(descriptor, $0, $1)
            }
            guard result == 0 else { return false }
            var times = questionTimes[...]
            let start = ContinuousClock.now
            var byte: UInt8 = 0
            while !isCancelled(), ContinuousClock.now - start < patience {
                if let next = times.first, ContinuousClock.now - start >= next {
                    times.removeFirst()
                    _ = send(descriptor, question, question.count, 0)
                }
                var waiting = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
                guard poll(&waiting, 1, slice) > 0 else { continue }
                // An error of the network, such as a closed port, is an answer of the machine, too.
                if recv(descriptor, &byte, 1, 0) >= 0 || errno == ECONNREFUSED { return true }
            }
            return false
        }
    }
}
