import FoundationEssentials
import RegionSharing
import RegionStore
import Synchronization

/// Gives files to the phones that a person picks, and to those that are wanted: performs what the ``GivingStateMachine`` decides.
final class PhoneDesk: Sendable {
    /// What a phone gets.
    struct Order: Sendable {
        /// The number of the transfer, from 1.
        var number: Int
        var choice: PhoneChoice
        /// Whether the phone was wanted from the start.
        var isWanted: Bool
    }

    /// What is done with phones.
    struct Ways: Sendable {
        /// The phones that are there, whenever that changes.
        var phones: AsyncStream<[LocalSendPhone]>
        /// Sends a file; nil if the phone has it.
        var give: @Sendable (Order) async -> LocalSendEnd?
        /// Stops the transfer with a number.
        var stop: @Sendable (Int) -> Void
        /// Called after each complete transfer.
        var given: @Sendable (LocalSendPhone) async -> Void
    }

    /// What happens.
    private enum Input: Sendable {
        case found([LocalSendPhone])
        case answered(PhonesAnswer?)
        case ended(Int, PhoneChoice, LocalSendEnd?)
        case closed
    }

    private struct Offer: Sendable {
        var regions: [RegionSummary] = []
        var kinds: [UUID: [DownloadKind]] = [:]
    }

    private let files: PhoneFiles
    private let inputs: AsyncStream<Input>
    private let inbox: AsyncStream<Input>.Continuation
    private let state = Mutex((activity: CompanionActivity(), missing: [String]()))

    /// What was given, and what is being given.
    var activity: CompanionActivity { state.withLock { $0.activity } }
    /// The names of the wanted phones that were not found.
    var missing: [String] { state.withLock { $0.missing } }

    init(of files: PhoneFiles) {
        self.files = files
        (inputs, inbox) = AsyncStream.makeStream()
    }

    /// Stops everything; ``run(_:wanted:_:)`` returns when the phones know.
    func close() { inbox.yield(.closed) }

    /// Gives what is wanted and picked, until it is closed or everything wanted is given.
    ///
    /// - Parameters:
    ///   - wanted: What the wanted phones get.
    ///   - ways: What is done with phones.
    /// - Throws: ``LocalSendError`` if a wanted phone does not have its file and it is the end.
    func run(
        _ wishes: LocalSendWishes,
        wanted: [(region: UUID, kind: DownloadKind)],
        _ ways: Ways
    ) async throws {
        var machine = GivingStateMachine(
            wanting: wishes.phones,
            wanted,
            asks: wishes.asks,
            isAfterFirst: wishes.stopsAfterFirst
        )
        var lists: AsyncStream<[LocalSendPhone]>.Continuation?
        var isClosed = false
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { [inbox] in for await list in ways.phones { inbox.yield(.found(list)) } }
            defer { group.cancelAll() }
            for await input in inputs {
                let actions: [GivingStateMachine.Action]
                switch input {
                case .found(let list): actions = isClosed ? [] : machine.found(list)
                case .answered(let answer):
                    lists = nil
                    actions = isClosed ? [] : machine.answered(answer)
                case .ended(let number, let choice, let end):
                    actions = machine.ended(number, end)
                    if end == nil, !isClosed { group.addTask { await ways.given(choice.phone) } }
                case .closed:
                    isClosed = true
                    actions = machine.closed()
                }
                let activity = CompanionActivity(openCount: machine.openCount, hasSent: machine.hasSent)
                state.withLock { $0 = (activity, machine.missing) }
                for action in actions {
                    switch action {
                    case .ask(let list):
                        let (later, continuation) = AsyncStream.makeStream(
                            of: [LocalSendPhone].self,
                            bufferingPolicy: .bufferingNewest(1)
                        )
                        lists = continuation
                        let offer = try offer(wishes)
                        let question = PhonesQuestion(list, later: later, regions: offer.regions, kinds: offer.kinds)
                        group.addTask { [inbox, files] in
                            do {
                                inbox.yield(.answered(try await files.person.ask(question)))
                            } catch {
                                // It is withdrawn at the end.
                            }
                        }
                    case .list(let list): lists?.yield(list)
                    case .send(let number, let choice, let isWanted):
                        let order = Order(number: number, choice: choice, isWanted: isWanted)
                        group.addTask { [inbox] in inbox.yield(.ended(number, choice, await ways.give(order))) }
                    case .stop(let number): ways.stop(number)
                    case .doubt(let name, let isChanged):
                        files.person.tell(.phones(.localSend(.doubt(name: name, isChanged: isChanged))))
                    case .end(let error):
                        if let error { throw error }
                        return
                    }
                }
                if isClosed, machine.openCount == 0 { return }
            }
        }
    }

    /// What a person can pick.
    private func offer(_ wishes: LocalSendWishes) throws -> Offer {
        try files.downloads(includesPersonal: true).reduce(into: Offer()) { offer, downloads in
            offer.regions.append(downloads.region)
            offer.kinds[downloads.region.id] = downloads.phoneKinds(first: wishes.kind)
        }
    }
}

extension RegionDownloads {
    /// The files that a phone can use, the one that it gets usually first.
    private static let phoneKinds: [DownloadKind] = [.html, .foreign, .sqlitedb, .mbtiles, .gpx, .pdf]

    /// The files that a phone can get, the usual one first.
    ///
    /// - Parameter first: The one that takes the first place if there is one; nil for none.
    func phoneKinds(first: DownloadKind? = nil) -> [DownloadKind] {
        let usual = Self.phoneKinds.filter { kinds.contains($0) }
        guard let first, usual.contains(first) else { return usual }
        return [first] + usual.filter { $0 != first }
    }
}
