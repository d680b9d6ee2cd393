import Glibc
package import HostNetwork
package import PeerCore

/// Asks machines that do not answer what they see of this one.
package enum ViewInquiry {
    /// The sockets of one interface and IP version.
    private struct Line {
        var interface: InterfaceFacts
        var isIPv6: Bool
        /// Hears answers to the group, which firewalls let in that let discovery in.
        var ear: MulticastSocket?
        /// Each sends from one of the addresses of this machine, and hears the answers to itself.
        var mouths: [MulticastSocket]
        var questions: [UInt8]

        var sockets: [MulticastSocket] { mouths + [ear].compactMap { $0 } }
    }

    /// The times of the questions, after the start.
    private static let questionTimes: [Duration] = [.zero, .milliseconds(300), .milliseconds(1100)]
    /// How long to wait for the answer to the last question: as long as the other machine tries to connect, and a little longer.
    private static let patience = CountedConnection.patience + .milliseconds(1300)
    /// How long to wait for further answers after the first one.
    private static let furtherTime: Duration = .milliseconds(300)
    /// The maximum number of interfaces and IP versions.
    private static let maximumLines = 32
    private static let maximumPackets = 64
    /// How long each wait for packets lasts, in milliseconds, before a cancelled task is noticed.
    private static let slice: CInt = 50

    /// Asks on every local network, and listens for up to 2.6 s.
    ///
    /// Each IP version is asked for its own addresses, from the address that connections to them have.
    ///
    /// - Parameter addresses: The addresses that do not answer; of each IP version, at most six are asked for.
    package static func ask(
        _ addresses: [IPAddress],
        port: UInt16,
        for application: PeerServiceType,
        on machine: MachineFacts
    ) async -> [IPAddress: PeerView] {
        await BlockingWork.run { isCancelled in
            let nonce = ViewQuestion.randomNonce()
            let lines = lines(for: addresses, on: machine).map { line, addresses in
                var line = line
                line.questions = ViewQuestion(nonce: nonce, addresses: addresses, port: port).bytes(for: application)
                return line
            }
            let sockets = lines.flatMap(\.sockets)
            defer { for socket in sockets { socket.close() } }
            var views: [IPAddress: PeerView] = [:]
            var buffer = [UInt8](repeating: 0, count: ViewPacket.maximumLength + 1)
            var times = questionTimes[...]
            let start = ContinuousClock.now
            var end = start + patience
            while !lines.isEmpty, !isCancelled(), ContinuousClock.now < end {
                if let next = times.first, ContinuousClock.now - start >= next {
                    times.removeFirst()
                    for line in lines { for mouth in line.mouths { _ = mouth.send(line.questions) } }
                }
                var waiting = sockets.map { pollfd(fd: $0.descriptor, events: CShort(POLLIN), revents: 0) }
                guard poll(&waiting, nfds_t(waiting.count), slice) > 0 else { continue }
                for (socket, ready) in zip(sockets, waiting) where ready.revents != 0 {
                    for _ in 0..<maximumPackets {
                        guard let packet = socket.receive(into: &buffer) else { break }
                        guard let answer = ViewAnswer(parsing: packet.bytes, for: application), answer.nonce == nonce
                        else {
                            continue
                        }
                        if views.isEmpty { end = min(end, ContinuousClock.now + furtherTime) }
                        note(answer, of: addresses, in: &views)
                    }
                }
            }
            return views
        }
    }

    /// Notes an answer; of several about one address, the one that knows of more connections counts.
    static func note(_ answer: ViewAnswer, of addresses: [IPAddress], in views: inout [IPAddress: PeerView]) {
        for address in answer.addresses where addresses.contains(address) {
            if let known = views[address], known.arrivals >= answer.view.arrivals { continue }
            views[address] = answer.view
        }
    }

    private static func lines(
        for addresses: [IPAddress],
        on machine: MachineFacts
    ) -> [(line: Line, addresses: [IPAddress])] {
        machine.multicastLines.prefix(maximumLines).compactMap { interface, isIPv6 in
            let addresses = addresses.filter { $0.isIPv6 == isIPv6 && !machine.has($0) }
                .prefix(ViewQuestion.maximumAddresses)
            guard !addresses.isEmpty else { return nil }
            let sources = Set(addresses.map { source(to: $0, over: interface) })
            let mouths = sources.compactMap { mouth(on: interface.index, from: $0, isIPv6: isIPv6) }
            let ear = MulticastSocket(.listener, on: interface.index, isIPv6: isIPv6)
            let line = Line(interface: interface, isIPv6: isIPv6, ear: ear, mouths: mouths, questions: [])
            return (line, Array(addresses))
        }
    }

    /// The address from which a connection over an interface comes; the first one of that IP version if it is not known.
    private static func source(to address: IPAddress, over interface: InterfaceFacts) -> IPAddress? {
        let own = interface.addresses.map(\.address).filter { $0.isIPv6 == address.isIPv6 }
        let source = Routes.way(to: address, over: interface.index)?.source
        return source.flatMap { own.contains($0) ? $0 : nil } ?? own.first
    }

    /// Opens a socket with a port of its own, whose packets come from an address; nil if the system does not permit it.
    private static func mouth(on interface: UInt32, from source: IPAddress?, isIPv6: Bool) -> MulticastSocket? {
        guard let socket = MulticastSocket(.asker, on: interface, isIPv6: isIPv6) else { return nil }
        let isBound =
            source?.withSocketAddress(port: 0, scope: interface) { bind(socket.descriptor, $0, $1) == 0 } ?? true
        guard isBound else {
            socket.close()
            return nil
        }
        return socket
    }
}
