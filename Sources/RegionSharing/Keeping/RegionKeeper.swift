public import PeerCore
public import RegionStore
import Synchronization

/// Takes what trusted machines offer, until it is stopped.
///
/// ```swift
/// let store = try RegionStore(path: "/home/anna/maps")
/// let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "kiosk 1")
/// try await RegionKeeper(into: store, as: local, rule: KeepRule(takesNew: true), person: person).run()
/// ```
public final class RegionKeeper: Sendable {
    private static let tickInterval: Duration = .milliseconds(500)

    /// Receives from one sender, by its rule.
    private let receiver: RegionReceiver
    private let machine = Mutex(KeepStateMachine())

    /// Creates what receives from many senders as something else receives from one.
    package init(receiver: RegionReceiver) { self.receiver = receiver }

    /// Creates what receives into a store, by a rule, from the machines that the store trusts.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - local: This machine.
    ///   - rule: What is taken.
    ///   - consent: Whether the person is asked about own edits that would be replaced. If not, they stay.
    ///   - configuration: The limits and preferences.
    ///   - person: Who is told and asked.
    public convenience init(
        into store: RegionStore,
        as local: LocalPeer,
        rule: KeepRule = KeepRule(),
        consent: Consent = .knownMachines,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        person: any Person
    ) {
        var receiver = RegionReceiver(
            into: store,
            as: local,
            consent: consent,
            configuration: configuration,
            person: person
        )
        (receiver.rule, receiver.retries) = (rule, 3)
        let recorder = PeerRecorder(store: store, person: person)
        receiver.remember = { peer, _ in _ = recorder.record(peer, isNew: false) }
        self.init(receiver: receiver)
    }

    /// Whether something is being received.
    public var isVisiting: Bool { machine.withLock { $0.runningCount } > 0 }

    /// Searches and receives.
    ///
    /// - Parameter control: Stops it.
    /// - Throws: `CancellationError` when it was stopped; `PeerError` if discovery does not work.
    public func run(_ control: TransferControl = TransferControl()) async throws {
        receiver.person.tell(.keeping(.waiting))
        try await receiver.browser.withEvents { [self] events in
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { [self] in
                    var failure = LastingFailure()
                    for await event in events {
                        switch event {
                        case .failed(let error):
                            if failure.isNew(error) { receiver.person.tell(.problem(error)) }
                        case .allForNow: failure.end()
                        default: break
                        }
                        machine.withLock { $0.received(event) }
                    }
                }
                // What is announced is looked at in turn, however often it changes.
                while !control.isCancelled {
                    let trusted = Set(try receiver.store.trustedPeers.all().map(\.id))
                    while let visit = machine.withLock({ $0.next(among: trusted, at: .now) }) {
                        group.addTask { [self] in
                            var receiving = receiver
                            receiving.visit = visit.number
                            let outcome = await receiving.visit(visit.peer, control)
                            machine.withLock { $0.ended(outcome, of: visit.id, at: .now) }
                        }
                    }
                    try await Task.sleep(for: Self.tickInterval)
                }
                throw CancellationError()
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
            if (problem as? ReceivingError)?.isRefusal != true { person.tell(.problem(problem)) }
            return KeepStateMachine.Outcome(after: problem)
        }
    }
}

extension KeepStateMachine.Outcome {
    /// How a visit has ended that failed.
    init(after problem: any Error) {
        switch problem {
        // About the offer and the sender. All other reasons of this side may pass.
        case let error as ReceivingError: self = error.mayPass ? .failed : .declined
        case let error as PeerError: self = error.code == .declined ? .declined : .failed
        default: self = .failed
        }
    }
}
