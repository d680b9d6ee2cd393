import Testing

@testable import PeerCore

/// How requests are divided, without a network.
@Suite struct SenderLaneStateMachineTests {
    private static let chunk = Int(ChunkLayout.minimumChunkLength)
    private let start = ContinuousClock.now

    private func machine(_ use: LaneUse, isCapable: Bool = true) -> SenderLaneStateMachine {
        var configuration = ConnectionConfiguration()
        configuration.lanes = use
        var machine = SenderLaneStateMachine(configuration, at: start)
        machine.connected(isCapable: isCapable)
        return machine
    }

    /// A machine that has begun to answer a request for all chunks of resource 2, and has asked for lanes.
    private func striped(chunks count: Int, _ use: LaneUse = .always(3)) throws -> SenderLaneStateMachine {
        var machine = machine(use)
        _ = try begin(&machine, chunks: count)
        machine.invited()
        return machine
    }

    private func begin(_ machine: inout SenderLaneStateMachine, chunks count: Int) throws -> Int {
        let layout = try #require(ChunkLayout(size: UInt64(count * Self.chunk)))
        let runs = try #require(layout.runs(validating: [0..<count]))
        return machine.begin(runs, of: 2, layout)
    }

    private func counts(acknowledged: UInt64, retransmitted: UInt64) -> SocketTuning.Statistics {
        var info = SIMD64<UInt32>(repeating: 0)
        info[25] = UInt32(retransmitted)
        info[30] = UInt32(acknowledged)
        info[17] = 11_000
        info[37] = 10_000
        return SocketTuning.Statistics(info)
    }

    @Test(arguments: [
        (LaneUse.always(3), true, 10, 3), (.always(99), true, 10, ProtocolLimits.standard.maximumLaneCount),
        (.always(3), false, 10, 0), (.never, true, 10, 0), (.whenTheyHelp, true, 10, 0), (.always(3), true, 1, 0),
    ])
    func lanesAreAskedForAtTheBeginning(use: LaneUse, isCapable: Bool, chunks: Int, wanted: Int) throws {
        var machine = machine(use, isCapable: isCapable)
        #expect(try begin(&machine, chunks: chunks) == wanted)
        #expect(!machine.isStriped)
        #expect(machine.position == 2)
    }

    @Test func everyByteIsTakenOnce() throws {
        var machine = try striped(chunks: 9)
        #expect(machine.isStriped)
        #expect(machine.joined(1, for: machine.requestNumber) == true)
        var shares: [Int?: Range<UInt64>] = [nil: 0..<0, 1: 0..<0]
        var taken = RangeSet<UInt64>()
        var turn = 0
        while true {
            let lane: Int? = turn % 2 == 0 ? nil : 1
            turn += 1
            var share = shares[lane] ?? 0..<0
            let next = machine.takeBytes(of: &share, of: 2, atMost: Self.chunk * 2 - 1, lane: lane)
            shares[lane] = share
            guard let piece = next else { break }
            #expect(taken.intersection(RangeSet(piece)).isEmpty)
            taken.insert(contentsOf: piece)
        }
        #expect(taken == RangeSet(0..<UInt64(9 * Self.chunk)))
        var share: Range<UInt64> = 0..<0
        #expect(machine.takeBytes(of: &share, of: 2, atMost: Self.chunk, lane: nil) == nil)
    }

    /// A lane that was let in for one request and arrives after the next has begun would bring that one's bytes too early.
    @Test func aLaneOfAnEarlierRequestIsRefused() throws {
        var machine = try striped(chunks: 9)
        let earlier = machine.requestNumber
        machine.end()
        _ = try begin(&machine, chunks: 9)
        machine.invited()
        #expect(machine.joined(1, for: earlier) == false)
        #expect(machine.joined(2, for: machine.requestNumber) == true)
    }

    @Test func anotherResourceHasNoPiecesOfThisOne() throws {
        var machine = try striped(chunks: 9)
        var share: Range<UInt64> = 0..<0
        #expect(machine.takeBytes(of: &share, of: 1, atMost: Self.chunk, lane: nil) == nil)
        machine.end()
        #expect(machine.takeBytes(of: &share, of: 2, atMost: Self.chunk, lane: nil) == nil)
        #expect(machine.position == nil)
        #expect(!machine.isStriped)
    }

    @Test func noLaneJoinsWithoutWork() throws {
        var idle = machine(.always(3))
        #expect(idle.joined(1, for: idle.requestNumber) == false)
        _ = try begin(&idle, chunks: 9)
        #expect(idle.joined(1, for: idle.requestNumber) == false)
        idle.invited()
        #expect(idle.joined(1, for: idle.requestNumber) == true)
        var share: Range<UInt64> = 0..<0
        while idle.takeBytes(of: &share, of: 2, atMost: Self.chunk * 9, lane: nil) != nil {}
        #expect(idle.joined(2, for: idle.requestNumber) == false)
    }

    @Test func onlyLanesThatStandStillAtTheEndAreClosed() throws {
        var machine = try striped(chunks: 3)
        #expect(machine.joined(1, for: machine.requestNumber) == true)
        let silence = ConnectionConfiguration().silenceTimeout
        #expect(machine.silentLanes(at: start + silence * 2).isEmpty)
        var share: Range<UInt64> = 0..<0
        while machine.takeBytes(of: &share, of: 2, atMost: Self.chunk, lane: 1) != nil {}
        machine.sent(at: start + silence)
        #expect(machine.silentLanes(at: start + silence * 2 - .milliseconds(1)).isEmpty)
        #expect(machine.silentLanes(at: start + silence * 2) == [1])
        machine.ended(1)
        #expect(machine.silentLanes(at: start + silence * 2).isEmpty)
    }

    @Test func whatTheReceiverConfirmedIsKnown() {
        var machine = machine(.never)
        #expect(!machine.isConfirmed(2))
        machine.receivedConfirmation(of: 2)
        #expect(machine.isConfirmed(2))
        #expect(!machine.isConfirmed(1))
    }

    @Test func nothingIsMeasuredThatIsOfNoUse() throws {
        #expect(!machine(.whenTheyHelp).wantsSamples)
        #expect(try !striped(chunks: 9, .always(2)).wantsSamples)
        var machine = try striped(chunks: 9, .whenTheyHelp)
        #expect(machine.wantsSamples)
        var share: Range<UInt64> = 0..<0
        while machine.takeBytes(of: &share, of: 2, atMost: Self.chunk * 9, lane: nil) != nil {}
        #expect(machine.sampled(counts(acknowledged: 0, retransmitted: 0), at: start) == nil)
    }

    @Test func lanesThatDoNotHelpTakeNoMoreWork() throws {
        var machine = try striped(chunks: 60_000, .whenTheyHelp)
        var acknowledged: UInt64 = 0
        var retransmitted: UInt64 = 0
        var now = start
        /// Takes samples of a network with losses until there is something to do.
        func run(_ bytesPerSecond: UInt64) throws -> LanePolicy.Action {
            for _ in 0..<100 {
                let counts = counts(acknowledged: acknowledged, retransmitted: retransmitted)
                machine.counted(counts, on: ResourceAssembly.mainConnection)
                let sampled = machine.sampled(counts, at: now)
                let action = try #require(sampled).action
                now += .milliseconds(250)
                acknowledged += bytesPerSecond / 4
                retransmitted += 5
                if action != .none { return action }
            }
            return .none
        }
        #expect(try run(1_500_000) == .changeControl)
        #expect(machine.controlRefused(at: now) == .invite(3))
        for lane in 1...3 { #expect(machine.joined(lane, for: machine.requestNumber) == true) }
        #expect(try run(1_500_000) == .retire(3))
        for lane in 1...3 {
            var share: Range<UInt64> = 0..<0
            #expect(machine.takeBytes(of: &share, of: 2, atMost: Self.chunk, lane: lane) == nil)
            share = 0..<10
            // What a lane has taken, it sends.
            #expect(machine.takeBytes(of: &share, of: 2, atMost: Self.chunk, lane: lane) == 0..<10)
        }
        var share: Range<UInt64> = 0..<0
        #expect(machine.takeBytes(of: &share, of: 2, atMost: Self.chunk, lane: nil) != nil)
    }
}
