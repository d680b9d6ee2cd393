import MapPages
import PeerCore
import RegionStore

/// Finds the sender to receive from.
///
/// If there are several, a person picks one.
struct PeerPicker: Sendable {
    private static let tickInterval: Duration = .milliseconds(20)
    private static let maximumInputCount = 64

    var browser: PeerBrowser
    var query: String?
    /// Who was chosen before and refuses connections.
    var refusing: DiscoveredPeer?
    var trustedPeers: [TrustedPeer]
    /// The time limit of the search; nil for none.
    var timeout: Duration?
    var asks: Bool
    /// Returns what to check if no sender is found.
    var hints: @Sendable () async -> [DisplayText] = { [] }
    var console: Console

    /// Searches for senders until one is picked, or a person gives a share link instead.
    ///
    /// - Throws: ``CommandError`` if none was found or picked, ``PeerError`` if discovery does not work or the share
    ///   link is not valid.
    func choose() async throws -> SenderLocation {
        console.show("Searching for senders…")
        defer { console.show(nil) }
        return try await browser.withEvents { events in
            // What does not fit waits in `events`, where only the newest state of each peer counts.
            let (inputs, inbox) = AsyncStream.makeStream(
                of: PeerPickerStateMachine.Input.self,
                bufferingPolicy: .bufferingOldest(Self.maximumInputCount)
            )
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events { try await Self.add(.found(event), to: inbox) }
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

    private static func add(
        _ input: PeerPickerStateMachine.Input,
        to inbox: AsyncStream<PeerPickerStateMachine.Input>.Continuation
    ) async throws {
        while case .dropped = inbox.yield(input) { try await Task.sleep(for: tickInterval) }
    }

    private func follow(
        _ inputs: AsyncStream<PeerPickerStateMachine.Input>,
        _ inbox: AsyncStream<PeerPickerStateMachine.Input>.Continuation,
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> SenderLocation {
        var choice = PeerPickerStateMachine(
            query: query,
            after: refusing,
            trustedPeers: trustedPeers,
            timeout: timeout,
            asks: asks,
            now: .now
        )
        var isAsking = false
        for await input in inputs {
            switch input {
            case .found(.failed(let error)): console.warn(ProblemReport(error, severity: .warning))
            case .answer: isAsking = false
            case .found, .tick: break
            }
            switch choice.received(input, at: .now) {
            case .choose(let peer):
                return .peer(peer)
            case .follow(let link):
                return .link(try ShareLinkInput.parse(link))
            case .giveUp(let failure):
                throw CommandError(failure, query: query, timeout: timeout, trustedPeers)
            case .advise(let others):
                let lines = others.map { $0.line(among: trustedPeers) }
                let hints = others.isEmpty ? await hints() : []
                console.note(
                    Self.advice(query: query, others: lines, hints: hints, stopping: console.stopping)
                )
            case .ask(let introduction, let question):
                let form = Self.form(choice.choices, trustedPeers)
                // In the window, the choices are the list.
                if console.window == nil || choice.choices.isEmpty { console.tell(introduction) }
                if isAsking {
                    console.setQuestion(question, form: form)
                } else {
                    isAsking = true
                    group.addTask {
                        let line = try await console.ask(question, form: form, rings: true)
                        try await Self.add(.answer(line), to: inbox)
                    }
                }
            case .none:
                break
            }
        }
        throw CancellationError()
    }

    /// Returns how the senders are offered in the window: as buttons.
    static func form(
        _ senders: [(number: Int, peer: DiscoveredPeer)],
        _ trustedPeers: [TrustedPeer]
    ) -> QuestionForm {
        let choices = senders.map { number, peer in
            AppWindowQuestion.Choice(
                answer: "\(number)",
                name: peer.title(among: trustedPeers).string,
                facts: peer.offer.filter { !$0.isEmpty }.map(\.string).joined(separator: ", ")
            )
        }
        return QuestionForm(kind: .choice, text: choices.isEmpty ? nil : "Which sender nearby?", choices: choices)
    }

    /// Returns what a person can do while the search continues.
    static func advice(
        query: String?,
        others: [DisplayText],
        hints: [DisplayText] = [],
        stopping: DisplayText = "press Ctrl-C"
    ) -> DisplayText {
        guard let query, !others.isEmpty else {
            let hints = hints.map { "  - \($0)" as DisplayText }.joined(separator: "\n")
            return "Found no sender yet. The search continues until you \(stopping). Meanwhile, check:\n\(hints)"
        }
        let names = others.map { "  - \($0)" as DisplayText }.joined(separator: "\n")
        return """
            Found no sender “\(query)” yet. The search continues until you \(stopping). These senders were found:
            \(names)
            """
    }
}

extension CommandError {
    /// Returns the error that no sender was picked, with the reason and things to check.
    init(
        _ failure: PeerPickerStateMachine.Failure,
        query: String?,
        timeout: Duration?,
        _ trustedPeers: [TrustedPeer] = []
    ) {
        let time = timeout.map { " within " + Wording.duration($0) } ?? ""
        switch failure {
        case .noSender(let others) where !others.isEmpty:
            self.init(
                .noPeerFound,
                "Found other senders\(time), but not “\(query ?? "")”.",
                remedy: "Name one of them:",
                hints: others.map { $0.line(among: trustedPeers) }
            )
        case .noSender:
            self.init(
                .noPeerFound,
                "Found no sender\(time).",
                remedy: "Check:",
                hints: Self.whatToCheck
            )
        case .several(let peers):
            self.init(
                .ambiguous,
                "Found several senders and cannot ask which one you mean.",
                remedy: "Name one of them:",
                hints: peers.map { $0.line(among: trustedPeers) }
            )
        case .declined:
            self.init(.declined, "No sender was chosen; nothing was received.")
        }
    }

    /// The reasons why two machines may not discover each other.
    static let whatToCheck: [DisplayText] = [
        "Is 'hikeshare send' running on the other laptop?",
        "Are both on the same Wi-Fi or cable, and no VPN is on?",
        "Some public networks and firewalls keep laptops apart: use a phone's hotspot or a cable.",
        "The share link that 'send' shows may still work:  \("hikeshare receive --link", .command)",
        "To find out more, on both laptops:  \("hikeshare doctor", .command)",
    ]
}

/// A text that selects a peer by its name, ignoring case, by the beginning of its id, or by the region that it sends.
///
/// The name of a trusted peer selects only that peer, not another one that announces the name.
struct PeerQuery: Hashable, Sendable {
    private static let shortestID = 4

    private let name: String
    private let digits: String
    private let friend: PeerID?

    init(_ text: String, trustedPeers: [TrustedPeer] = []) {
        let friend =
            trustedPeers.first { $0.name.lowercased() == text.lowercased() }
            ?? trustedPeers.first { PeerName.areAlike($0.name, text) }
        self.friend = friend?.id
        name = text.lowercased()
        digits = text.lowercased().filter { $0 != "-" }
    }

    /// Returns the matching peers: those with exactly that name, or else those whose id or name begins with the text, or else
    /// those whose region has the text in its name.
    func matches(_ peers: [DiscoveredPeer]) -> [DiscoveredPeer] {
        if let friend { return peers.filter { $0.peerID == friend } }
        let exact = peers.filter { $0.displayName.lowercased() == name }
        guard exact.isEmpty else { return exact }
        let byID = peers.filter { peer in
            // A shorter text is more likely a word than the beginning of an id.
            digits.utf8.count >= Self.shortestID && peer.peerID?.hex.hasPrefix(digits) == true
        }
        guard byID.isEmpty else { return byID }
        guard !name.isEmpty else { return [] }
        let byName = peers.filter { $0.displayName.lowercased().hasPrefix(name) }
        guard byName.isEmpty else { return byName }
        return peers.filter { $0.info.regionName?.lowercased().contains(name) == true }
    }
}

extension PeerBrowser {
    /// Creates a browser for machines that run this program.
    ///
    /// - Parameters:
    ///   - ownID: The id of this machine, which is not reported; nil to report every machine.
    ///   - limit: The duration of the search; a missing Avahi daemon is reported by then.
    /// - Returns: The browser.
    static func nearby(except ownID: PeerID? = nil, within limit: Duration? = nil) -> PeerBrowser {
        PeerBrowser(
            serviceType: .hikeshare,
            ownID: ownID,
            backend: limit.map { AvahiDiscovery(within: $0) } ?? AvahiDiscovery(),
            logger: Software.logger("discovery")
        )
    }
}
