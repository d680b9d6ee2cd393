import PeerCore
import RegionStore
import Synchronization

/// Takes what trusted machines offer, until a person stops the program.
struct RegionKeeper: Sendable {
    private enum Input: Sendable {
        case event(PeerBrowserEvent)
        case ended(KeepStateMachine.Outcome)
        case tick
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
        let isReceiving = Atomic(false)
        try await Interruption.watch {
            control.cancel(reason: "it was interrupted.")
            return isReceiving.load(ordering: .sequentiallyConsistent)
        } isSaying: {
            control.openTransferCount > 0
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted; no longer receiving.")
        } _: {
            console.note("Waiting for trusted machines that send. To stop, \(console.stopping).")
            try await (receiver.browser ?? .nearby(except: receiver.local.id)).withEvents { events in
                let (inputs, inbox) = AsyncStream.makeStream(of: Input.self)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for await event in events { inbox.yield(.event(event)) } }
                    group.addTask {
                        while true {
                            try await Task.sleep(for: Self.tickInterval)
                            inbox.yield(.tick)
                        }
                    }
                    defer { group.cancelAll() }
                    var machine = KeepStateMachine()
                    for await input in inputs {
                        switch input {
                        case .event(.failed(let error)): console.warn(ProblemReport(error, severity: .warning))
                        case .event(let event): machine.received(event)
                        case .ended(let outcome):
                            isReceiving.store(false, ordering: .sequentiallyConsistent)
                            machine.ended(outcome, at: .now)
                        case .tick: break
                        }
                        if control.isCancelled { throw CancellationError() }
                        guard let peer = machine.next(among: try trusted(), at: .now) else { continue }
                        isReceiving.store(true, ordering: .sequentiallyConsistent)
                        group.addTask { inbox.yield(.ended(await visit(peer, control))) }
                    }
                    throw CancellationError()
                }
            }
        }
    }

    private func trusted() throws -> Set<PeerID> { Set(try receiver.store.trustedPeers.all().map(\.id)) }

    private func visit(_ peer: DiscoveredPeer, _ control: TransferControl) async -> KeepStateMachine.Outcome {
        do {
            try await receiver.receive(from: .peer(peer), control, until: .now + .seconds(10))
            return .complete
        } catch {
            let problem = (error as? IncompleteReception)?.underlying ?? error
            if control.isCancelled || problem is CancellationError { return .failed }
            // This side has decided, with or without a word.
            let isOwn = problem is CommandError
            if (problem as? CommandError)?.code != .declined {
                console.warn(ProblemReport(problem, severity: .warning))
            }
            return isOwn || (problem as? PeerError)?.code == .declined ? .declined : .failed
        }
    }
}
