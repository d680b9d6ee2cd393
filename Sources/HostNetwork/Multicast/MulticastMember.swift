import Dispatch
import Glibc
import NIOConcurrencyHelpers

/// A member of a multicast group in all local networks of this machine, as they come and go.
package final class MulticastMember: Sendable {
    /// What a member tells, one thing after the other, on a thread of its own.
    package enum Event: Sendable {
        /// This machine is in these networks now; in those of the second list, it is in the group.
        case networks([LocalNetwork], joined: [LocalNetwork])
        /// A packet has arrived in a network, from an address that may be anyone's.
        case packet(MulticastSocket.Packet, in: LocalNetwork)
    }

    /// A network, and the socket for it.
    private struct Line: Sendable {
        var network: LocalNetwork
        var socket: MulticastSocket
    }

    private struct State: Sendable {
        var lines: [Line] = []
        /// The end of a pipe that wakes the thread; nil after the end.
        var waker: CInt?
    }

    /// The maximum number of networks, whose sockets all wait in one poll(2).
    private static let maximumLines = 32
    /// The maximum number of packets that are read of a socket at once.
    private static let maximumPackets = 64
    /// The maximum number of packets that are read in a second.
    private static let maximumPerSecond = 3_000

    private let group: MulticastGroup
    private let networks: @Sendable () -> [LocalNetwork]
    private let maximumLength: Int
    private let tell: @Sendable (Event) -> Void
    private let state = NIOLockedValueBox(State())
    private let changes = NIOLockedValueBox<NetworkChanges?>(nil)

    /// Becomes a member until ``stop()`` is called.
    ///
    /// - Parameters:
    ///   - networks: Reads the networks in which this machine is in the group.
    ///   - maximumLength: The maximum length of a packet; longer ones are dropped.
    ///   - tell: Is told what happens; the present networks first.
    package init(
        of group: MulticastGroup,
        in networks: @escaping @Sendable () -> [LocalNetwork],
        maximumLength: Int,
        tell: @escaping @Sendable (Event) -> Void
    ) {
        (self.group, self.networks, self.maximumLength, self.tell) = (group, networks, maximumLength, tell)
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        state.withLockedValue { [waker = ends[1]] in $0.waker = waker }
        changes.withLockedValue { $0 = NetworkChanges { [weak self] in self?.wake() } }
        DispatchQueue(label: "HostNetwork.multicast").async { [self, woken = ends[0]] in
            run(until: woken)
            close(woken)
        }
    }

    /// Ends the membership.
    package func stop() {
        changes.withLockedValue { $0.take() }?.stop()
        state.withLockedValue { state in
            for line in state.lines { line.socket.close() }
            state.lines = []
            // The other end of a pipe without this one can be read at once.
            if let waker = state.waker.take() { close(waker) }
        }
    }

    /// Sends a packet in all networks, and returns those in which it has left this machine.
    package func send(_ bytes: [UInt8]) -> [LocalNetwork] {
        state.withLockedValue { state in
            state.lines.filter { if case .sent = $0.socket.send(bytes) { true } else { false } }.map(\.network)
        }
    }

    private func wake() { state.withLockedValue { if let waker = $0.waker { _ = write(waker, [1], 1) } } }

    private func run(until woken: CInt) {
        var pace = ReadingPace(maximumPerSecond: Self.maximumPerSecond)
        // One byte more, to recognise packets that are too long.
        var buffer = [UInt8](repeating: 0, count: maximumLength + 1)
        var known: [LocalNetwork]?
        while state.withLockedValue({ $0.waker != nil }) {
            let now = networks()
            if now != known {
                known = now
                tell(.networks(now, joined: join(now)))
            }
            receive(until: woken, &pace, &buffer)
        }
    }

    /// Opens the sockets of new networks, and closes those of networks that are gone; returns those that have a socket.
    private func join(_ networks: [LocalNetwork]) -> [LocalNetwork] {
        state.withLockedValue { state in
            guard state.waker != nil else { return [] }
            let old = state.lines
            for line in old where !networks.contains(line.network) { line.socket.close() }
            state.lines = networks.prefix(Self.maximumLines).compactMap { network in
                if let line = old.first(where: { $0.network == network }) { return line }
                // On loopback, the system would send from no address.
                let source = network.addresses.first?.address
                let socket = MulticastSocket(.listener, on: network.index, isIPv6: false, in: group, from: source)
                return socket.map { Line(network: network, socket: $0) }
            }
            return state.lines.map(\.network)
        }
    }

    /// Tells packets until the networks may have changed, or this is the end.
    private func receive(until woken: CInt, _ pace: inout ReadingPace, _ buffer: inout [UInt8]) {
        var rest: Duration?
        while true {
            let lines = state.withLockedValue(\.lines)
            var waiting = [pollfd(fd: woken, events: CShort(POLLIN), revents: 0)]
            if rest == nil {
                waiting += lines.map { pollfd(fd: $0.socket.descriptor, events: CShort(POLLIN), revents: 0) }
            }
            // A rest is shorter than a second.
            let time = rest.map { CInt(clamping: $0.components.attoseconds / 1_000_000_000_000_000) + 1 }
            rest = nil
            let count = poll(&waiting, nfds_t(waiting.count), time ?? -1)
            if count < 0, errno != EINTR { return }
            guard waiting[0].revents == 0 else {
                var bytes = [UInt8](repeating: 0, count: 64)
                while Glibc.read(woken, &bytes, bytes.count) == bytes.count {}
                return
            }
            for (line, ready) in zip(lines, waiting.dropFirst()) where ready.revents != 0 && rest == nil {
                rest = read(line, &pace, &buffer)
            }
        }
    }

    /// Reads packets of a socket; returns the time for which no more are read, if there is one.
    private func read(_ line: Line, _ pace: inout ReadingPace, _ buffer: inout [UInt8]) -> Duration? {
        for _ in 0..<Self.maximumPackets {
            // Under the lock, because a closed descriptor may be another file's.
            let packet = state.withLockedValue { state in
                state.lines.contains { $0.network == line.network } ? line.socket.receive(into: &buffer) : nil
            }
            guard let packet else { return nil }
            if packet.bytes.count <= maximumLength { tell(.packet(packet, in: line.network)) }
            if let rest = pace.read(at: .now) { return rest }
        }
        return nil
    }
}
