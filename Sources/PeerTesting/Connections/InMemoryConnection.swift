import NIOConcurrencyHelpers
import NIOCore
import PeerCore

/// One side of a connection in memory.
///
/// What happens on the way to the other side, and what arrives, is handled on the executor of the network, one thing at a time.
final class InMemoryConnection: PeerConnection {
    struct State {
        enum Phase {
            case open
            /// The other side has closed the connection, or it broke. What has arrived can still be read.
            case ended
            /// This side has closed it.
            case closed
        }

        var phase = Phase.open
        /// The other side; nil when the connection is not open any more.
        var other: InMemoryConnection?
        /// Whether the two sides are cut off without notice.
        var isSilent = false
        /// Whether what is under way to the other side is lost.
        var losesInFlight = false

        var line = Line()
        /// When the parcel that leaves has left.
        var departure: ContinuousClock.Instant?
        /// The number of parcels under way to the other side.
        var inFlight = 0
        /// When the last of them arrives.
        var lastArrival: ContinuousClock.Instant?

        var reader: FrameReader
        var inbox = CircularBuffer<(event: PeerConnectionEvent, length: Int)>()
        /// The session, if it waits for an event.
        var next: Awaited<PeerConnectionEvent?>?
        var lastReceipt: ContinuousClock.Instant?

        var pings = PingStateMachine()
        /// Whether a ping without a waiting caller is still queued.
        var isKeepAliveWaiting = false
        /// The pings whose callers wait for the pong.
        var roundTrips: [(ping: Ping, start: ContinuousClock.Instant, duration: Awaited<Duration?>)] = []
    }

    /// Who a side is, and where.
    struct Party {
        var machine: String
        var address: SocketAddress
        var id: PeerID
        var certificate: [UInt8]
    }

    let network: InMemoryNetwork
    let machine: String
    let otherMachine: String
    let encoder: FrameEncoder
    let state: NIOLockedValueBox<State>
    private let number: Int
    private let remote: Party
    /// How long a side whose peer has broken the protocol waits until the peer closes.
    private let lingerTimeout: Duration

    var clock: ManualClock { network.clock }
    var remoteAddress: String { remote.address.displayText }
    var addressKey: AddressKey { AddressKey(remote.address) }
    var lastReceipt: ContinuousClock.Instant? { state.withLockedValue { $0.lastReceipt } }
    /// Whether neither side has closed it.
    var isOpen: Bool { state.withLockedValue { $0.phase == .open } }

    private init(
        _ network: InMemoryNetwork,
        number: Int,
        on machine: String,
        to remote: Party,
        preface: Preface,
        configuration: ConnectionConfiguration
    ) {
        self.network = network
        self.number = number
        self.machine = machine
        self.otherMachine = remote.machine
        self.remote = remote
        lingerTimeout = configuration.lingerTimeout
        encoder = FrameEncoder(preface: preface, limits: configuration.limits)
        state = NIOLockedValueBox(State(reader: FrameReader(preface: preface, limits: configuration.limits)))
    }

    /// Opens a connection.
    static func open(
        _ network: InMemoryNetwork,
        _ application: PeerServiceType,
        from connector: (party: Party, configuration: ConnectionConfiguration),
        to listener: (party: Party, configuration: ConnectionConfiguration)
    ) -> (connecting: InMemoryConnection, accepted: InMemoryConnection) {
        let preface = Preface(application: application.name)
        let sides = [(connector, listener), (listener, connector)].map { own, other in
            network.addConnection { number in
                InMemoryConnection(
                    network,
                    number: number,
                    on: own.party.machine,
                    to: other.party,
                    preface: preface,
                    configuration: own.configuration
                )
            }
        }
        sides[0].join(sides[1])
        sides[1].join(sides[0])
        return (sides[0], sides[1])
    }

    private func join(_ other: InMemoryConnection) {
        state.withLockedValue { state in
            if state.phase == .open { state.other = other }
        }
    }

    func run(_ handle: @escaping @Sendable (PeerConnectionEvent) async -> Void) async {
        await withTaskExecutorPreference(network.serialExecutor, isolation: nil) {
            await withTaskCancellationHandler {
                if state.withLockedValue({ $0.phase != .closed }) {
                    sendPreface()
                    await handle(.opened(remote.id, certificate: remote.certificate))
                }
                while !Task.isCancelled, let event = await nextEvent() {
                    if case .invalid = event { closeLater() }
                    await handle(event)
                }
            } onCancel: {
                close()
            }
            close()
        }
    }

    /// Sends the preface, before which the peer understands nothing.
    private func sendPreface() {
        var bytes = ByteBuffer()
        encoder.writePreface(into: &bytes)
        send(bytes: bytes)
    }

    /// Closes the connection if the peer does not close it soon.
    private func closeLater() {
        _ = clock.schedule(at: clock.now.advanced(by: lingerTimeout)) { self.close() }
    }

    func abort() { close { $0.losesInFlight = true } }

    /// Closes the connection.
    ///
    /// The other side still reads what was sent before, at the rate of the network.
    func finish() {
        network.serialExecutor.execute {
            self.handOver()
            self.close { _ in }
        }
    }

    /// Closes the connection when everything that was sent before has left, as far as it can leave at once.
    func close() { network.serialExecutor.execute { self.close { _ in } } }

    private func close(_ change: (inout State) -> Void) {
        let ending = state.withLockedValue { state -> Ending? in
            guard state.phase != .closed else { return nil }
            change(&state)
            state.phase = .closed
            state.inbox.removeAll()
            return state.end()
        }
        guard let ending else { return }
        network.serialExecutor.execute { self.tellOther() }
        finish(ending)
    }

    /// Tells the other side that this one has closed, after what is under way.
    private func tellOther() {
        let delay = network.delay(from: machine, to: otherMachine)
        let (other, time) = state.withLockedValue { state in
            defer { state.other = nil }
            let arrival = clock.now.advanced(by: delay)
            let time = state.losesInFlight ? arrival : max(arrival, state.lastArrival ?? arrival)
            return (state.isSilent ? nil : state.other, time)
        }
        guard let other else { return }
        if time <= clock.now { return other.end() }
        _ = clock.schedule(at: time) { other.end() }
    }

    /// The other side has closed, or the connection broke.
    private func end() {
        let ending = state.withLockedValue { state -> Ending? in
            guard state.phase == .open, !state.isSilent else { return nil }
            state.phase = .ended
            state.other = nil
            return state.end()
        }
        if let ending { finish(ending) }
    }

    /// Breaks: this side notices at once, and what it has sent is lost unless it has arrived.
    func breakDown() {
        state.withLockedValue { $0.losesInFlight = true }
        network.serialExecutor.execute { self.end() }
    }

    /// Nothing arrives at this side any more, not even the end of the connection.
    func fallSilent() {
        state.withLockedValue { state in
            state.isSilent = true
            state.losesInFlight = true
        }
    }

    /// The work that is left when a connection has ended.
    struct Ending {
        var calls: [@Sendable () -> Void]
        var next: Awaited<PeerConnectionEvent?>?
        var roundTrips: [Awaited<Duration?>]
    }

    private func finish(_ ending: Ending) {
        network.removeConnection(number)
        for call in ending.calls { network.serialExecutor.execute(call) }
        for roundTrip in ending.roundTrips { roundTrip.fulfil(nil) }
        ending.next?.fulfil(nil)
    }
}

extension InMemoryConnection.State {
    fileprivate mutating func end() -> InMemoryConnection.Ending {
        defer {
            next = nil
            roundTrips = []
        }
        return InMemoryConnection.Ending(calls: line.close(), next: next, roundTrips: roundTrips.map(\.duration))
    }
}
