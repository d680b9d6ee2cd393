package import PeerCore

/// Finds the sender to receive from; of several, a person picks one.
package struct PeerPicker: Sendable {
    private static let tickInterval: Duration = .milliseconds(20)
    private static let maximumInputCount = 64

    private let browser: PeerBrowser
    private let search: SenderSearch
    private let consent: Consent
    private let person: any Person
    private let links: ArrivingLinks
    private let advise: @Sendable (SenderSearch, _ others: [DiscoveredPeer]) async -> Void

    /// Creates a search, in which a person picks if `consent` says so, or follows one of the `links`.
    ///
    /// If only others, or none, were found for some time, `advise` says what to check. The search continues after it.
    package init(
        browser: PeerBrowser,
        for search: SenderSearch,
        consent: Consent,
        person: any Person,
        links: ArrivingLinks = ArrivingLinks(),
        advise: @escaping @Sendable (SenderSearch, _ others: [DiscoveredPeer]) async -> Void
    ) {
        (self.browser, self.search, self.consent) = (browser, search, consent)
        (self.person, self.links, self.advise) = (person, links, advise)
    }

    /// Searches for senders until one is picked, or a person gives a share link instead.
    package func choose() async throws -> SenderLocation {
        person.tell(.finding(.searching))
        defer { person.tell(.finding(.searchEnded)) }
        return try await links.with { links in try await choose(or: links) }
    }

    private func choose(or links: AsyncStream<ShareLink>) async throws -> SenderLocation {
        try await browser.withEvents { events in
            // What does not fit waits in `events`, where only the newest state of each peer counts.
            let (inputs, inbox) = AsyncThrowingStream.makeStream(
                of: PeerPickerStateMachine.Input.self,
                bufferingPolicy: .bufferingOldest(Self.maximumInputCount)
            )
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events { try await Self.add(.found(event), to: inbox) }
                }
                group.addTask {
                    for await link in links { try await Self.add(.answer(.link(link)), to: inbox) }
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: Self.tickInterval)
                        inbox.yield(.tick)
                    }
                }
                defer { group.cancelAll() }
                return try await follow(inputs, inbox, in: &group)
            }
        }
    }

    private typealias Inbox = AsyncThrowingStream<PeerPickerStateMachine.Input, any Error>.Continuation

    private static func add(_ input: PeerPickerStateMachine.Input, to inbox: Inbox) async throws {
        while case .dropped = inbox.yield(input) { try await Task.sleep(for: tickInterval) }
    }

    private func follow(
        _ inputs: AsyncThrowingStream<PeerPickerStateMachine.Input, any Error>,
        _ inbox: Inbox,
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> SenderLocation {
        var choice = PeerPickerStateMachine(search, asks: consent.asks, now: .now)
        // Where the list of the question is replaced; nil if nothing is asked.
        var lists: AsyncStream<SenderList>.Continuation?
        var failure = LastingFailure()
        for try await input in inputs {
            switch input {
            case .found(.failed(let error)):
                if failure.isNew(error) { person.tell(.problem(error)) }
            case .found(.allForNow): failure.end()
            case .answer: lists = nil
            case .found, .tick: break
            }
            switch choice.received(input, at: .now) {
            case .choose(let peer): return .peer(peer)
            case .follow(let link): return .link(link)
            case .giveUp(let error): throw error
            case .advise(let others): await advise(search, others)
            case .ask(let list):
                guard lists == nil else {
                    lists?.yield(list)
                    break
                }
                let (later, continuation) = AsyncStream.makeStream(
                    of: SenderList.self,
                    bufferingPolicy: .bufferingNewest(1)
                )
                lists = continuation
                group.addTask { [person] in
                    do {
                        let answer = try await person.ask(SenderQuestion(list: list, later: later))
                        try await Self.add(.answer(answer), to: inbox)
                    } catch {
                        inbox.finish(throwing: error)
                    }
                }
            case .none: break
            }
        }
        throw CancellationError()
    }
}
