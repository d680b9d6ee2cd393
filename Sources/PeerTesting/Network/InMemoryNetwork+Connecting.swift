import NIOConcurrencyHelpers
package import NIOCore
import PeerCore

/// What discovery, listeners and connections use of the network.
extension InMemoryNetwork {
    /// Returns the address of a machine, in the networks for documentation (RFC 5737).
    package func address(of machine: String, port: Int) throws -> SocketAddress {
        let number = state.withLockedValue { $0.number(of: machine) }
        return try SocketAddress(ipAddress: "192.0.\(2 + number / 256).\(number % 256)", port: port)
    }

    /// The machines that have an address, because a program of theirs listens or was asked for.
    var machineNames: [String] { state.withLockedValue { $0.machines } }

    func changeAnnouncements<Result>(_ body: (inout Announcements) -> Result) -> Result {
        state.withLockedValue { state in
            defer { state.updateAnnouncements() }
            return body(&state.announcements)
        }
    }

    func browse(
        _ serviceType: PeerServiceType,
        on machine: String,
        _ events: AsyncStream<PeerSighting.Event>.Continuation
    ) -> Int {
        state.withLockedValue { state in
            let topology = state.topology
            return state.announcements.browse(serviceType, on: machine, events) { topology.areJoined($0, $1) }
        }
    }

    /// Adds a listener.
    ///
    /// - Returns: Its port; nil if the port is in use.
    func add(_ listener: InMemoryListener, on machine: String, port: Int) -> Int? {
        state.withLockedValue { state in
            var endpoint = Endpoint(machine: machine, port: port)
            if port == 0 {
                repeat { endpoint.port = state.nextPort() } while state.listeners[endpoint] != nil
            }
            guard state.listeners[endpoint] == nil else { return nil }
            state.listeners[endpoint] = listener
            return endpoint.port
        }
    }

    func removeListener(on machine: String, port: Int) {
        state.withLockedValue { $0.listeners[Endpoint(machine: machine, port: port)] = nil }
    }

    /// A port that no program uses at the moment.
    func nextPort() -> Int { state.withLockedValue { $0.nextPort() } }

    /// What happens to an attempt to connect.
    enum Answer {
        case accepted(InMemoryListener, machine: String)
        /// No program listens there.
        case refused
        /// No answer comes.
        case silence
    }

    /// Finds who listens at an address, as a machine sees it.
    func answer(at address: SocketAddress, to sender: String) -> Answer {
        state.withLockedValue { state in
            let parts = (address.ipAddress ?? "").split(separator: ".").compactMap { Int($0) }
            guard parts.count == 4, parts[0] == 192, parts[1] == 0 else { return .silence }
            let index = (parts[2] - 2) * 256 + parts[3] - 1
            guard state.machines.indices.contains(index) else { return .silence }
            let machine = state.machines[index]
            guard state.topology.allowsConnection(from: sender, to: machine) else { return .silence }
            let endpoint = Endpoint(machine: machine, port: address.port ?? 0)
            return state.listeners[endpoint].map { .accepted($0, machine: machine) } ?? .refused
        }
    }

    func delay(from sender: String, to receiver: String) -> Duration {
        state.withLockedValue { $0.topology.delay(from: sender, to: receiver) }
    }

    /// Accepts bytes for the way to another machine; returns when they have left.
    func accept(_ count: Int, from sender: String, to receiver: String) -> ContinuousClock.Instant {
        let now = clock.now
        return state.withLockedValue { $0.topology.accept(count, from: sender, to: receiver, at: now) }
    }

    /// Adds a side of an open connection.
    func addConnection(_ make: (_ number: Int) -> InMemoryConnection) -> InMemoryConnection {
        state.withLockedValue { state in
            state.lastConnection += 1
            let connection = make(state.lastConnection)
            state.connections[state.lastConnection] = connection
            return connection
        }
    }

    func removeConnection(_ number: Int) { state.withLockedValue { $0.connections[number] = nil } }

    func note(_ frames: [String], from sender: String, to receiver: String) {
        let time = clock.elapsed
        state.withLockedValue { state in
            for frame in frames {
                if state.trace.count >= Self.maximumTraceCount { state.trace.removeFirst() }
                state.trace.append(TraceEntry(time: time, sender: sender, receiver: receiver, frame: frame))
            }
        }
    }
}

extension InMemoryNetwork.State {
    /// Ports of programs that do not choose one (RFC 6335, section 6), in turn.
    fileprivate mutating func nextPort() -> Int {
        lastPort = lastPort >= 65_535 ? 49_152 : lastPort + 1
        return lastPort
    }

    /// The number of a machine, from 1.
    fileprivate mutating func number(of machine: String) -> Int {
        if let index = machines.firstIndex(of: machine) { return index + 1 }
        machines.append(machine)
        return machines.count
    }
}
