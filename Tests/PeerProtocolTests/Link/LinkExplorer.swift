import NIOCore
import PeerProtocol

/// Two links and the connections between them: every order of events is tried, breadth first.
///
/// Side 0 dials. A connection that breaks loses any tail in both directions: each side may still take what is under
/// way, or notice the end before. Side 0 may also dial while its connection still works, and side 1 may not have
/// noticed the end of the old connection when it hears of the new one.
struct LinkExplorer {
    struct Bounds {
        var records: [Int]
        var breaks: Int
    }

    enum Frame: Hashable {
        case terms(received: UInt64)
        case record(Int)
        case credit(UInt64)
    }

    struct Connection: Hashable {
        var isBroken = false
        /// What is on the way to each side.
        var queues: [[Frame]] = [[], []]
        var isOpen = [true, true]
    }

    struct World: Hashable {
        var links: [LinkStateMachine]
        var sent = [0, 0]
        var delivered = [0, 0]
        var connections: [Connection] = []
        /// The connection that each side writes to.
        var current = [-1, -1]
        var breaks = 0
    }

    enum Fault: Error, CustomStringConvertible {
        case notTheNext(Int, after: Int)
        case violated(String)
        case lost([Int], of: [Int])

        var description: String {
            switch self {
            case .notTheNext(let number, let last): "record \(number) was delivered after \(last)"
            case .violated(let error): "an honest link violated the protocol: \(error)"
            case .lost(let delivered, let sent): "\(delivered) records were delivered of \(sent)"
            }
        }
    }

    static let start = ContinuousClock.now
    let bounds: Bounds
    /// How many states were seen.
    private(set) var stateCount = 0
    /// How many of them had everything sent and delivered over the last connection.
    private(set) var completeCount = 0

    init(_ bounds: Bounds) { self.bounds = bounds }

    /// Visits every state.
    ///
    /// - Throws: ``Fault`` in the first state in which something is wrong.
    mutating func run() throws {
        let link = LinkStateMachine(start: Self.start)
        var worlds = [World(links: [link, link])]
        try dial(&worlds[0])
        var seen: Set<[Int]> = [fingerprint(worlds[0])]
        while !worlds.isEmpty {
            var next: [World] = []
            for world in worlds {
                stateCount += 1
                try check(world)
                try visitSuccessors(of: world) { successor in
                    if seen.insert(fingerprint(successor)).inserted { next.append(successor) }
                }
            }
            worlds = next
        }
    }

    /// Two hashes stand for a state, so that millions of states fit into memory.
    private func fingerprint(_ world: World) -> [Int] {
        var first = Hasher()
        world.hash(into: &first)
        var second = Hasher()
        second.combine(1)
        world.hash(into: &second)
        return [first.finalize(), second.finalize()]
    }

    private mutating func check(_ world: World) throws {
        guard let last = world.connections.last, !last.isBroken, last.queues.allSatisfy(\.isEmpty),
            world.links.allSatisfy(\.isAttached), world.current.allSatisfy({ $0 == world.connections.count - 1 })
        else { return }
        guard world.delivered[1] == world.sent[0], world.delivered[0] == world.sent[1] else {
            throw Fault.lost(world.delivered, of: world.sent)
        }
        if world.sent == bounds.records { completeCount += 1 }
    }

    private func visitSuccessors(of world: World, _ visit: (World) -> Void) throws {
        for side in 0..<2 {
            if world.sent[side] < bounds.records[side] {
                var copy = world
                copy.sent[side] += 1
                let number = copy.sent[side]
                if copy.links[side].send(LinkStateMachineTests.record(number)) == .write {
                    push(.record(number), from: side, &copy)
                }
                visit(copy)
            }
            if world.links[side].isAttached, let time = world.links[side].nextTick {
                var copy = world
                if case .acknowledge(let count) = copy.links[side].tick(at: time) {
                    push(.credit(count), from: side, &copy)
                }
                visit(copy)
            }
        }
        for index in world.connections.indices {
            for side in 0..<2 where world.connections[index].isOpen[side] {
                if !world.connections[index].queues[side].isEmpty {
                    var copy = world
                    let frame = copy.connections[index].queues[side].removeFirst()
                    try deliver(frame, to: side, over: index, &copy)
                    visit(copy)
                }
                if world.connections[index].isBroken {
                    var copy = world
                    close(index, at: side, &copy)
                    visit(copy)
                }
            }
            if !world.connections[index].isBroken, world.breaks < bounds.breaks {
                var copy = world
                copy.connections[index].isBroken = true
                copy.breaks += 1
                visit(copy)
            }
        }
        // The last connection is over for side 0, or side 0 has a better one.
        let isOver = world.connections.last?.isOpen[0] == false
        if isOver || world.breaks < bounds.breaks {
            var copy = world
            if !isOver { copy.breaks += 1 }
            try dial(&copy)
            visit(copy)
        }
    }

    private func push(_ frame: Frame, from side: Int, _ world: inout World) {
        let index = world.current[side]
        guard index >= 0, !world.connections[index].isBroken else { return }
        world.connections[index].queues[1 - side].append(frame)
    }

    private func close(_ index: Int, at side: Int, _ world: inout World) {
        world.connections[index].isBroken = true
        world.connections[index].isOpen[side] = false
        world.connections[index].queues[side] = []
        world.links[side].detached(from: UInt64(index + 1), at: Self.start)
    }

    private func dial(_ world: inout World) throws {
        guard case .announce(let received) = world.links[0].prepare(at: Self.start) else { return }
        if !world.connections.isEmpty { close(world.connections.count - 1, at: 0, &world) }
        world.connections.append(Connection())
        world.current[0] = world.connections.count - 1
        push(.terms(received: received), from: 0, &world)
    }

    private func deliver(_ frame: Frame, to side: Int, over index: Int, _ world: inout World) throws {
        let number = UInt64(index + 1)
        switch frame {
        case .record(let record):
            guard world.links[side].received(length: 16, on: number, at: Self.start) == .deliver else { return }
            guard record == world.delivered[side] + 1 else {
                throw Fault.notTheNext(record, after: world.delivered[side])
            }
            world.delivered[side] = record
        case .credit(let count):
            if case .violated(let error) = world.links[side].receivedAcknowledgement(count, on: number) {
                throw Fault.violated(error.message)
            }
        case .terms(let count):
            guard index > world.current[side] || side == 0 else { return }
            if side == 1 {
                guard case .announce(let received) = world.links[1].prepare(at: Self.start) else { return }
                world.current[1] = index
                push(.terms(received: received), from: 1, &world)
            }
            switch world.links[side].attached(to: number, received: count) {
            case .replay(let records):
                for record in records {
                    var payload = record.payload
                    push(.record(Int(payload.readInteger(as: UInt64.self) ?? 0)), from: side, &world)
                }
            case .violated(let error): throw Fault.violated(error.message)
            case .none: break
            }
        }
    }
}
