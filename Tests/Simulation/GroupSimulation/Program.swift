import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NearbyPeers
import PeerCore
import PeerTesting

/// A question of the simulated application.
struct Question: PeerRequest {
    static let messageName = "question"
    typealias Response = Int
    var number: Int
}

/// One run of the program of a machine: a session, and an application that does what the plan says.
final class Program: Sendable {
    struct Failure: Error {}

    /// What the program is told to do.
    typealias Order = @Sendable (Program, PeerSession) async -> Void

    private struct State {
        var session: PeerSession?
        var reading = Plan.Reading.atOnce
        var isAnnounced = false
        var blocked: Set<Int> = []
        var invitedAgain: Set<Int> = []
        var hasEnded = false
    }

    let run: Run
    let world: Simulation
    private let state = NIOLockedValueBox(State())
    private let orders: AsyncStream<Order>
    private let addOrder: AsyncStream<Order>.Continuation
    /// Says that ``announce(_:)`` was called.
    private let announcements: (stream: AsyncStream<Void>, add: AsyncStream<Void>.Continuation)
    /// One queue for each channel, so that messages of a channel are sent in order.
    private let queues: [(stream: AsyncStream<Order>, add: AsyncStream<Order>.Continuation)]

    init(_ run: Run, _ world: Simulation) {
        self.run = run
        self.world = world
        (orders, addOrder) = AsyncStream.makeStream(of: Order.self)
        let (stream, add) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        announcements = (stream, add)
        queues = (0..<2).map { _ in
            let (stream, add) = AsyncStream.makeStream(of: Order.self)
            return (stream, add)
        }
    }

    var session: PeerSession? { state.withLockedValue { $0.session } }
    var hasEnded: Bool { state.withLockedValue { $0.hasEnded } }
    /// The machines that this program has sent away.
    var blocked: Set<Int> { state.withLockedValue { $0.blocked } }

    func read(_ reading: Plan.Reading) { state.withLockedValue { $0.reading = reading } }
    func announce(_ isAnnounced: Bool) {
        state.withLockedValue { $0.isAnnounced = isAnnounced }
        announcements.add.yield()
    }
    /// The machines that this program has sent away, and then invited: whether that has reached them, nobody knows.
    var invitedAgain: Set<Int> { state.withLockedValue { $0.invitedAgain } }
    func noteInvitation(of machine: Int) {
        state.withLockedValue { if $0.blocked.contains(machine) { $0.invitedAgain.insert(machine) } }
    }
    func block(_ machine: Int) { state.withLockedValue { _ = $0.blocked.insert(machine) } }
    func add(_ order: @escaping Order) { addOrder.yield(order) }
    func add(_ order: @escaping Order, to channel: Int) { queues[channel].add.yield(order) }

    /// Ends the program; it says goodbye if it can.
    func end() {
        addOrder.finish()
        for queue in queues { queue.add.finish() }
    }

    /// Runs the program until it is told to end.
    func main(_ configuration: PeerSession.Configuration) async {
        do {
            try await withPeerSession(configuration, environment: world.network.machine("\(run.machine)")) { session in
                try await self.use(session)
            }
        } catch is Failure {
        } catch {
            if !Task.isCancelled { world.ledger.fail("\(run) ended with \(error)") }
        }
        state.withLockedValue {
            $0.session = nil
            $0.hasEnded = true
        }
    }

    private func use(_ session: PeerSession) async throws {
        let channels = [MessageChannel.main, try MessageChannel(validating: "second")]
        let readers = try channels.map { try session.data(on: $0) }
        let streams = try session.streams()
        let resources = try session.resources()
        let events = session.events()
        state.withLockedValue { $0.session = session }
        await withDiscardingTaskGroup { group in
            for reader in readers { group.addTask { await self.read(reader) } }
            for queue in queues { group.addTask { for await order in queue.stream { await order(self, session) } } }
            group.addTask { await self.watch(events) }
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await stream in streams { group.addTask { await self.read(stream) } }
                }
            }
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await offer in resources { group.addTask { await self.take(offer) } }
                }
            }
            group.addTask { await self.advertise(session) }
            group.addTask { try? await session.answer(Question.self) { question, _ in question.number + 1 } }
            for await order in orders { group.addTask { await order(self, session) } }
            group.cancelAll()
        }
        // A body that throws ends its session at once, without waiting for peers that do not read.
        throw Failure()
    }

    private func read(_ messages: IncomingData) async {
        var iterator = messages.makeAsyncIterator()
        while !Task.isCancelled {
            let reading = state.withLockedValue { $0.reading }
            if reading != .atOnce { try? await world.network.clock.sleep(for: .milliseconds(300)) }
            guard reading != .never else { continue }
            guard let message = await iterator.next() else { return }
            guard let parcel = Parcel(message.message) else {
                world.ledger.fail("S1: \(run) read bytes that nobody sent")
                continue
            }
            if world.machine(message.peer) != parcel.sender.machine {
                world.ledger.fail("S3: \(run) read a message of \(parcel.sender) from another peer")
            }
            let series = Ledger.Series(sender: parcel.sender, channel: parcel.channel)
            world.ledger.delivered(series, parcel.number, message.message.count, to: run)
        }
    }

    private func read(_ stream: PeerStream) async {
        guard let flow = Flow(stream.metadata), world.machine(stream.peer) == flow.sender.machine else {
            return world.ledger.fail("S3: \(run) got a stream that its peer has not opened")
        }
        var iterator = stream.bytes.makeAsyncIterator()
        var count = 0
        do {
            while !Task.isCancelled {
                let reading = state.withLockedValue { $0.reading }
                if reading != .atOnce { try await world.network.clock.sleep(for: .milliseconds(300)) }
                guard reading != .never else { continue }
                guard let bytes = try await iterator.next() else { break }
                guard flow.contains(bytes, at: count) else {
                    return world.ledger.fail("S1: \(run) read bytes of \(flow) that were not sent")
                }
                count += bytes.count
            }
        } catch {
            return
        }
        guard !Task.isCancelled else { return }
        guard count == flow.length else { return world.ledger.fail("S1: \(run) read \(count) bytes of \(flow)") }
        stream.finish()
        world.ledger.read(flow, by: run)
    }

    private func take(_ offer: ResourceOffer) async {
        let flow = Flow(offer.metadata)
        guard let flow, world.machine(offer.peer) == flow.sender.machine,
            let shipment = world.ledger.read({ $0.shipments[flow] }), shipment.receiver == run.machine
        else { return world.ledger.fail("S3: \(run) got an offer that its peer has not made") }
        guard shipment.fate != .declined else { return offer.decline() }
        let result = await withTaskGroup(of: ReceivedResource?.self) { group in
            group.addTask { try? await offer.receive(.memory(limit: flow.length)) }
            if case .abandoned(let delay) = shipment.fate {
                group.addTask {
                    try? await self.world.network.clock.sleep(for: .milliseconds(delay))
                    return nil
                }
            }
            var result = await group.next().flatMap { $0 }
            group.cancelAll()
            for await next in group { result = result ?? next }
            return result
        }
        guard let result else { return }
        guard case .bytes(let bytes) = result, bytes.count == flow.length, flow.contains(bytes, at: 0) else {
            return world.ledger.fail("S7: \(run) received \(flow) with other bytes")
        }
        world.ledger.received(flow, by: run)
    }

    private func watch(_ events: PeerEvents) async {
        for await event in events {
            if case .changed(let peer, let before) = event {
                world.ledger.saw(peer.id, machine: world.machine(peer.id), peer.state, before: before, by: run)
            }
        }
    }

    private func advertise(_ session: PeerSession) async {
        for await _ in announcements.stream where state.withLockedValue({ $0.isAnnounced }) {
            await withDiscardingTaskGroup { group in
                group.addTask { try? await session.advertise() }
                for await _ in announcements.stream where !state.withLockedValue({ $0.isAnnounced }) { break }
                group.cancelAll()
            }
        }
    }
}
