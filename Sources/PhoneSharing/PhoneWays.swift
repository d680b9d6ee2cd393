import FoundationEssentials
package import PeerCore
package import RegionSharing
import RegionStore
import WebServer

/// The ways from a sender to phones: the page for them, and LocalSend beside it.
package struct PhoneWays: SenderCompanion {
    /// What has ended.
    private enum Ended: Sendable {
        case sender(Result<Void, any Error>)
        case desk(Result<Void, any Error>)
        case patience
        case other
    }

    /// How long phones are waited for at the end, to which is said that nothing more comes.
    private static let patience: Duration = .seconds(5)
    private let files: PhoneFiles
    private let local: LocalPeer
    private let desk: PhoneDesk
    /// The page; nil for none.
    package var page: PhonePage?
    /// What is done with phones that have LocalSend; nil for nothing.
    package var localSend: LocalSendWishes?
    /// Where it listens and looks for phones.
    package var settings = LocalSendNode.Settings()
    /// What the wanted phones get.
    private var wanted: [(region: UUID, kind: DownloadKind)] = []

    package var turns: SendingTurns { files.turns.turns }
    package var needsPhones: Bool { page != nil }
    package var activity: CompanionActivity { desk.activity }
    /// The names of the wanted phones that were not found.
    var missing: [String] { desk.missing }

    /// Creates the ways to phones, which need a page or wishes.
    package init(of files: PhoneFiles, as local: LocalPeer) {
        (self.files, self.local, desk) = (files, local, PhoneDesk(of: files))
    }

    /// Prepares the page, and checks what the wanted phones get.
    ///
    /// - Throws: ``LocalSendError/noKind(_:_:)``; what ``PhonePage/prepare(in:)`` throws.
    package mutating func prepare(in network: OwnHotspot?) async throws {
        try await page?.prepare(in: network)
        settings.ownNetwork = network
        if let localSend { wanted = try files.wanted(localSend) }
    }

    /// Serves phones while `body` runs, or until the wanted phones have everything, if that was wished.
    package func serve(during body: @escaping @Sendable () async throws -> Void) async throws {
        guard let localSend else {
            guard let page else { return try await body() }
            return try await page.serve(during: body)
        }
        if let page { return try await page.serve { try await serve(localSend, during: body) } }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [files] in
                await files.run()
                return false
            }
            group.addTask { [files] in
                await files.turns.tick()
                return false
            }
            group.addTask {
                try await serve(localSend, during: body)
                return true
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next(), !isOver {}
        }
    }

    private func serve(
        _ wishes: LocalSendWishes,
        during body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (node, identity): (LocalSendNode, LocalSendIdentity)
        do {
            identity = try LocalSendIdentity.load(for: files.store)
            node = try LocalSendNode(
                identity,
                alias: local.displayName,
                settings: settings,
                store: files.store,
                person: files.person
            )
        } catch {
            // The regions are sent without it.
            files.person.tell(.problem(error))
            return try await body()
        }
        let giver = PhoneGiver(of: files, wishes, to: node.finder, as: try WebIdentity(pem: identity.pem))
        let taker = LocalSendTaker(
            into: files.store,
            as: local,
            // Receivers pick from several regions, and what phones send goes where it lies.
            region: files.sent.count == 1 ? files.sent.first?.region : nil,
            asks: wishes.asks,
            desk: files.desk,
            person: files.person,
            recognise: { node.finder.identify($0, at: $1, provenBy: $2) },
            added: { await node.finder.askForName(of: $0) }
        )
        let site: (LocalSendFinder) -> any WebSite = { finder in
            LocalSendSite(taker, finder, cancelled: { giver.cancelled($0, by: $1) })
        }
        try await node.run(serving: site) { try await serve(wishes, with: giver, taker, during: body) }
    }

    private func serve(
        _ wishes: LocalSendWishes,
        with giver: PhoneGiver,
        _ taker: LocalSendTaker,
        during body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let ways = PhoneDesk.Ways(
            phones: giver.finder.phoneChanges(),
            give: { await giver.give($0) },
            stop: { giver.stop($0) },
            given: { await giver.finder.askForName(of: $0) }
        )
        try await withThrowingTaskGroup(of: Ended.self) { group in
            group.addTask {
                await taker.run()
                return .other
            }
            group.addTask { .sender(await Self.result(body)) }
            group.addTask { [desk, wanted] in
                .desk(await Self.result { try await desk.run(wishes, wanted: wanted, ways) })
            }
            defer { group.cancelAll() }
            var result: Result<Void, any Error>?
            while let ended = try await group.next() {
                switch (ended, result) {
                case (.sender(let sender), _):
                    result = sender
                    desk.close()
                    group.addTask {
                        try? await Task.sleep(for: Self.patience)
                        return .patience
                    }
                case (.desk, let sender?), (.patience, let sender?): return try conclude(sender)
                case (.desk(.success), nil): return
                case (.desk(.failure(let error as LocalSendError)), nil): throw error
                // The regions are sent without it.
                case (.desk(.failure(let error)), nil): files.person.tell(.problem(error))
                case (.other, _), (.patience, nil): break
                }
            }
        }
    }

    /// The end of the sender; if nobody came in time, it is about the phones that were wanted.
    private func conclude(_ sender: Result<Void, any Error>) throws {
        do {
            try sender.get()
        } catch SendingError.noReceiver(let time) where !missing.isEmpty {
            throw LocalSendError.notFound(missing, within: time)
        }
        // Some had it before the time was over.
        if localSend?.stopsAfterFirst == true, !missing.isEmpty { throw LocalSendError.notFound(missing, within: nil) }
    }

    private static func result(_ body: @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

extension PhoneFiles {
    /// What the wanted phones get of each region.
    ///
    /// - Throws: ``LocalSendError/noKind(_:_:)`` if a region does not have the wanted kind of file, or if none has it and a person picks
    ///   phones.
    fileprivate func wanted(_ wishes: LocalSendWishes) throws -> [(region: UUID, kind: DownloadKind)] {
        guard !wishes.phones.isEmpty || wishes.kind != nil else { return [] }
        let all = try downloads(includesPersonal: true)
        if let kind = wishes.kind {
            let lacking = all.filter { !$0.kinds.contains(kind) }
            if let first = lacking.first, !wishes.phones.isEmpty || lacking.count == all.count {
                throw LocalSendError.noKind(kind, first.region)
            }
        }
        return all.compactMap { downloads in
            downloads.phoneKinds(first: wishes.kind).first.map { (downloads.region.id, $0) }
        }
    }
}
