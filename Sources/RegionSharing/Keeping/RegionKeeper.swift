import PeerCore
import RegionSharing
import RegionStore
import Synchronization

/// Takes what trusted machines offer, until a person stops the program.
struct RegionKeeper: Sendable {
    /// What visits and events of discovery share.
    private final class State: Sendable {
        let machine = Mutex(KeepStateMachine())
        let progress: ProgressDisplay

        init(on console: Console) { progress = ProgressDisplay(on: console, isReceiver: true) }
    }

    private static let tickInterval: Duration = .milliseconds(500)

    /// Receives from one sender, by its rule.
    var receiver: RegionReceiver

    private var console: Console { receiver.console }

    /// Searches and receives.
    ///
    /// - Throws: ``CommandError`` when it was interrupted; `PeerError` if discovery does not work.
    func run() async throws {
        let control = TransferControl()
        let state = State(on: console)
        try await Interruption.watch {
            control.cancel(reason: "it was interrupted.")
            return state.machine.withLock { $0.runningCount } > 0
        } isSaying: {
            control.openTransferCount > 0
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted; no longer receiving.")
        } _: {
            console.note("Waiting for trusted machines that send. To stop, \(console.stopping).")
            try await (receiver.browser ?? .nearby(except: receiver.local.id)).withEvents { events in
                try await withThrowingDiscardingTaskGroup { group in
                    group.addTask {
                        for await event in events {
                            if case .failed(let error) = event {
                                console.warn(ProblemReport(error, severity: .warning))
                            }
                            state.machine.withLock { $0.received(event) }
                        }
                    }
                    // What is announced is looked at in turn, however often it changes.
                    while !control.isCancelled {
                        let trusted = Set(try receiver.store.trustedPeers.all().map(\.id))
                        while let visit = state.machine.withLock({ $0.next(among: trusted, at: .now) }) {
                            group.addTask {
                                var receiving = receiver
                                receiving.place = (visit.number, state.progress)
                                let outcome = await receiving.visit(visit.peer, control)
                                state.machine.withLock { $0.ended(outcome, of: visit.id, at: .now) }
                            }
                        }
                        try await Task.sleep(for: Self.tickInterval)
                    }
                    throw CancellationError()
                }
            }
        }
    }
}

extension RegionReceiver {
    /// Receives what a machine has, and says what went wrong.
    fileprivate func visit(_ peer: DiscoveredPeer, _ control: TransferControl) async -> KeepStateMachine.Outcome {
        do {
            try await receive(from: .peer(peer), control, until: .now + .seconds(10))
            return .complete
        } catch {
            let problem = (error as? IncompleteReception)?.underlying ?? error
            if control.isCancelled || problem is CancellationError { return .failed }
            if (problem as? CommandError)?.code != .declined {
                console.warn(ProblemReport(problem, severity: .warning))
            }
            return KeepStateMachine.Outcome(after: problem)
        }
    }
}

extension KeepStateMachine.Outcome {
    /// How a visit has ended that failed.
    init(after problem: any Error) {
        switch problem {
        // About the offer and the sender. All other reasons of this side may pass.
        case let error as CommandError:
            self = [.declined, .notTrusted, .notFound, .ambiguous].contains(error.code) ? .declined : .failed
        case let error as PeerError: self = error.code == .declined ? .declined : .failed
        default: self = .failed
        }
    }
}
