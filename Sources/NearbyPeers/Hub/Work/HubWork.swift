import PeerCore
import PeerProtocol

/// What runs beside the hub: jobs, and the application's handlers.
struct HubWork: Sendable {
    typealias Job = @Sendable () async -> Void

    let jobs: AsyncStream<Job>
    private let addJob: AsyncStream<Job>.Continuation
    private let transport: any PeerTransport
    /// The calls of the application's handlers.
    let handlers = HandlerCalls()
    /// The calls that save something; unlike those of handlers, they may still finish while the session ends.
    private let keepers = HandlerCalls()
    /// Signals that the peers nearby should be examined again.
    let looks = ReadyQueue<Void>(maximumCount: 1)

    init(_ transport: any PeerTransport) {
        self.transport = transport
        (jobs, addJob) = AsyncStream.makeStream(of: Job.self)
    }

    /// Starts a job, which runs concurrently with the hub; returns false if the session has ended, so that it does not run.
    @discardableResult
    func add(_ job: @escaping Job) -> Bool { if case .enqueued = addJob.yield(job) { true } else { false } }

    /// Starts no more jobs.
    func finish() { addJob.finish() }

    private var executor: any TaskExecutor { transport.applicationExecutor ?? globalConcurrentExecutor }

    /// Runs code of the application, which may block, on separate threads, and stops waiting for it when the session ends.
    func callOut<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await handlers.call(on: executor, body)
    }

    /// Runs code of the application as ``callOut(_:)`` does, and lets it finish while the session ends.
    func keeping(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await keepers.call(on: executor, body)
    }

    /// Asks a trust store of the application about a peer.
    func trust(of id: PeerID, callingItself name: String, in store: any TrustStore) async throws -> PeerTrust {
        do {
            return try await callOut { try await store.trust(of: id, callingItself: name) }
        } catch  where !(error is CancellationError) {
            // A question that was cancelled is no fault of the store, so it is not reported as one.
            throw PeerError(.localStorage, "The list of trusted peers cannot be read.", cause: error)
        }
    }

    /// Asks a trust store of the application about a peer, and under which name it is shown.
    ///
    /// That is the name that the peer has chosen, unless it is listed and has chosen the name of another trusted peer. Then it is
    /// the listed one: friends cannot take the names of one another either.
    func standing(of id: PeerID, callingItself name: String, in store: any TrustStore) async throws -> Standing {
        let trust = try await trust(of: id, callingItself: name, in: store)
        if case .impostor(let owner) = trust { return Standing(trust: trust, shownName: name, owner: owner) }
        let own = Standing(trust: trust, shownName: name, owner: nil)
        guard let listed = trust.listedName, !PeerName.areAlike(listed, name) else { return own }
        guard case .impostor(let owner) = try await self.trust(of: Self.unusedID, callingItself: name, in: store),
            !PeerName.areAlike(listed, owner)
        else { return own }
        return Standing(trust: trust, shownName: listed, owner: owner)
    }

    /// An id of no key, with which the store is asked whether a name belongs to a trusted peer.
    private static let unusedID = PeerID(digest: ContentDigest(hashing: Array("no key".utf8)))

    /// Asks the application to compare digits; cancels its task when the question is withdrawn.
    func compare(
        _ digits: PairingDigits,
        of remote: RemotePeer,
        _ handler: AdmissionPolicy.DigitQuestion?,
        until question: ReadyQueue<Void>
    ) async -> DigitComparison {
        let (answer, isWithdrawn) = await stoppable {
            try? await callOut { await handler?(remote, digits) ?? .different }
        } by: {
            _ = await question.next()
        }
        return isWithdrawn ? .different : answer ?? .different
    }
}

extension HubWork {
    /// What a trust store says about a peer, and under which name the peer is shown.
    struct Standing: Sendable {
        let trust: PeerTrust
        let shownName: String
        /// The trusted peer that already has the chosen name, as the list calls it; nil if the name is free.
        let owner: String?
    }
}
