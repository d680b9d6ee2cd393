import NIOConcurrencyHelpers
import NearbyPeers
import PeerCore

/// One run of a machine's program.
package struct Run: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var machine: Int
    package var number: Int

    package var description: String { "\(machine)#\(number)" }

    package static func < (left: Run, right: Run) -> Bool {
        (left.machine, left.number) < (right.machine, right.number)
    }
}

/// What the applications did and saw, kept outside of what is tested.
final class Ledger: Sendable {
    /// A series of messages: those of one run on one channel.
    struct Series: Hashable {
        var sender: Run
        var channel: Int
    }

    /// One message for one machine.
    struct Address: Hashable {
        var series: Series
        var number: Int
        var receiver: Int
    }

    struct State {
        var lastNumber: [Series: Int] = [:]
        /// What became of each message, as the sender was told.
        var outcomes: [Address: Bool] = [:]
        /// What each run has read, in order.
        var read: [Run: [Series: [Int]]] = [:]
        /// The machines with which a run's link has ended at least once, or was never made.
        var broken: [Run: Set<Int>] = [:]
        var lastStates: [Run: [PeerID: PeerState]] = [:]
        /// How many bytes of a series were taken for a run, and are not read yet.
        var waiting: [Run: [Series: Int]] = [:]
        var lastFlow = 0
        /// The streams that were written to their ends, and to which machines.
        var sentFlows: [Flow: Int] = [:]
        /// The streams that each run has read to their ends.
        var readFlows: [Run: Set<Flow>] = [:]
        /// The resources that were offered, by who they are from and what their bytes are.
        var shipments: [Flow: Shipment] = [:]
        /// The resources that each run has received.
        var receivedShipments: [Run: Set<Flow>] = [:]
        var problems: [String] = []
        var trace = Trace()

        /// Whether the link of two runs has ended at least once, or was never made.
        func isBroken(_ one: Run, _ two: Run) -> Bool {
            broken[one]?.contains(two.machine) == true || broken[two]?.contains(one.machine) == true
        }

        /// S5: what is taken and not read is bounded.
        mutating func took(_ length: Int, of series: Series, for run: Run, atMost maximum: Int) {
            waiting[run, default: [:]][series, default: 0] += length
            let sum = waiting[run]?[series] ?? 0
            guard sum > maximum, !isBroken(series.sender, run), series.sender.number == 0, run.number == 0 else {
                return
            }
            problems.append("S5: \(sum) bytes of \(series) wait for \(run), allowed are \(maximum)")
        }
    }

    private let box = NIOLockedValueBox(State())
    /// What happens is kept here, if somebody wants to see it.
    let recording: Recording?

    init(recording: Recording? = nil) { self.recording = recording }

    func read<Result>(_ body: (State) -> Result) -> Result { box.withLockedValue { body($0) } }
    func change<Result>(_ body: (inout State) -> Result) -> Result { box.withLockedValue { body(&$0) } }

    /// Reports that something does not hold.
    func fail(_ problem: String) { change { $0.problems.append(problem) } }

    func nextNumber(of series: Series) -> Int {
        change { state in
            state.lastNumber[series, default: -1] += 1
            return state.lastNumber[series] ?? 0
        }
    }

    func nextFlow() -> Int {
        change { state in
            state.lastFlow += 1
            return state.lastFlow
        }
    }

    /// A run has read a stream to its end.
    func read(_ flow: Flow, by run: Run) {
        change { state in
            state.trace.add("read \(run) \(flow)")
            if !state.readFlows[run, default: []].insert(flow).inserted {
                state.problems.append("S1: \(run) read \(flow) twice")
            }
        }
    }

    /// A run has received a resource.
    func received(_ flow: Flow, by run: Run) {
        recording?.add(.settled(flow, isReceived: true))
        change { state in
            state.trace.add("received \(run) \(flow)")
            if !state.receivedShipments[run, default: []].insert(flow).inserted {
                state.problems.append("S7: \(run) received \(flow) twice")
            }
        }
    }

    /// A run has read a message.
    func delivered(_ series: Series, _ number: Int, _ length: Int, to run: Run) {
        recording?.add(.heard(series, number, by: run))
        change { state in
            state.waiting[run]?[series]? -= length
            state.trace.add("read \(run) \(series.sender) \(series.channel) \(number)")
            if let last = state.read[run]?[series]?.last, last >= number {
                state.problems.append("S1: \(run) read \(number) of \(series) after \(last)")
            }
            state.read[run, default: [:]][series, default: []].append(number)
        }
    }

    /// A run sees a peer in a state.
    func saw(_ peer: PeerID, machine: Int?, _ state: PeerState, before: PeerState?, by run: Run) {
        if let machine {
            let isRestored = if case .reconnecting = state { true } else { false }
            recording?.add(.saw(run, machine, isConnected: state == .connected, isRestored: isRestored))
        }
        change { ledger in
            ledger.trace.add("saw \(run) \(machine ?? -1) \(state.word)")
            if let before, !before.leads(to: state) {
                ledger.problems.append("S8: \(run) saw \(machine ?? -1) go from \(before.word) to \(state.word)")
            }
            // All programs are honest, so nobody breaks the protocol, or any bound of it.
            if case .disconnected(.failed(let error)) = state, [.protocolViolation, .peerFailed].contains(error.code) {
                ledger.problems.append("S5: \(run) lost \(machine ?? -1): \(error.message)")
            }
            ledger.lastStates[run, default: [:]][peer] = state
            switch state {
            case .unreachable, .disconnected:
                if let machine { ledger.broken[run, default: []].insert(machine) }
            case .connecting, .connected, .reconnecting: break
            }
        }
    }
}

/// A running digest of what happens: equal traces have equal digests. (FNV-1a.)
struct Trace: Hashable, Sendable {
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

extension PeerState {
    /// The name of the state.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .reconnecting: "reconnecting"
        case .unreachable: "unreachable"
        case .disconnected: "disconnected"
        }
    }

    /// Whether a peer can go from this state to another one.
    func leads(to next: PeerState) -> Bool {
        switch (self, next) {
        case (.connecting, .reconnecting), (.unreachable, .reconnecting), (.disconnected, .reconnecting),
            (.connected, .connecting), (.reconnecting, .connecting), (.unreachable, .connecting):
            false
        default: true
        }
    }
}
