package import PeerCore
import RegionStore

/// Decides which sender to receive from, by the found senders, the answers of a person, and the time.
package struct PeerPickerStateMachine: Sendable {
    /// An event.
    package enum Input: Sendable {
        case found(PeerBrowserEvent)
        case answer(SenderAnswer)
        case tick
    }

    /// An action.
    package enum Action: Equatable {
        case choose(DiscoveredPeer)
        /// A person gave a share link instead of picking a sender.
        case follow(ShareLink)
        /// Ask, or replace the list of the current question.
        case ask(SenderList)
        case giveUp(FindingError)
        /// No sender has been found for some time: tell the person what to check. The search continues.
        case advise(others: [DiscoveredPeer])
        case none
    }

    /// The time after the last event at which the list of senders counts as complete.
    static let settleTime: Duration = .milliseconds(300)
    /// The time after which it counts as complete whatever is announced.
    static let longestSettleTime: Duration = .seconds(2)
    /// The shortest time between two forms of a question.
    static let redrawTime: Duration = .milliseconds(300)

    /// The time for further answers after the first one.
    ///
    /// Answers come 20 to 120 ms after the question (RFC 6762, section 6), and over a radio that sleeps up to 300 ms later; the list
    /// counts as complete only after a second.
    static let answerTime: Duration = .milliseconds(450)
    /// The time after which a search without a time limit tells the person what to check.
    static let adviceTime: Duration = .seconds(10)
    /// The most senders that a question shows.
    static let maximumShown = 20
    /// The number of lost peers that keep their numbers in case they come back.
    static let maximumLost = 64

    private let search: SenderSearch
    private let query: PeerQuery?
    private let asks: Bool
    private var waitingSince: ContinuousClock.Instant
    private var lastNews: ContinuousClock.Instant
    private var hasAllForNow = false
    private var isAsking = false
    /// When the first sender was found; nil if there is none.
    private var candidatesSince: ContinuousClock.Instant?
    /// The list of the current question, without an objection.
    private var asked: SenderList?
    private var askedAt: ContinuousClock.Instant
    /// Whether something was announced that the question does not show.
    private var hasNews = false
    private var hasAdvised = false
    /// The present and recently lost peers, each with a unique number.
    private(set) var known: [(number: Int, peer: DiscoveredPeer)] = []
    /// The lost peers, the earliest first.
    private var lost: [DiscoveredPeer.ID] = []
    private var lastNumber = 0

    /// Creates the state at the beginning of a search.
    ///
    /// Who refuses connections comes after all others: what is announced for a program that has ended can outlive it for an hour.
    package init(_ search: SenderSearch, asks: Bool, now: ContinuousClock.Instant) {
        self.search = search
        query = search.query.map { PeerQuery($0, trustedPeers: search.trustedPeers) }
        self.asks = asks
        (waitingSince, lastNews, askedAt) = (now, now, now)
    }

    private var present: [DiscoveredPeer] { known.map(\.peer).filter { !lost.contains($0.id) } }

    private var candidates: [DiscoveredPeer] { query.map { $0.matches(present) } ?? present }

    /// The peers that a person sees, with their numbers: trusted ones first if there are too many for one screen.
    private var list: SenderList {
        let all = candidates
        var shown = all
        if all.count > Self.maximumShown {
            let friends = all.filter { peer in search.trustedPeers.contains { $0.id == peer.peerID } }
            let others = all.filter { !friends.contains($0) }
            shown = Array((friends + others).prefix(Self.maximumShown))
        }
        return SenderList(
            senders: shown.map { SenderList.Sender(number: number(of: $0), peer: $0) },
            moreCount: all.count - shown.count,
            trustedPeers: search.trustedPeers
        )
    }

    /// Handles an event.
    package mutating func received(_ input: Input, at now: ContinuousClock.Instant) -> Action {
        switch input {
        case .found(let event): received(event, at: now)
        case .answer(let answer): answered(answer, at: now)
        case .tick where isAsking && hasNews: askAgain(at: now)
        case .tick: isAsking && !candidates.isEmpty ? .none : decide(at: now)
        }
    }

    private mutating func received(_ event: PeerBrowserEvent, at now: ContinuousClock.Instant) -> Action {
        switch event {
        case .found(let peer), .changed(let peer):
            if let index = known.firstIndex(where: { $0.peer.id == peer.id }) {
                known[index].peer = peer
            } else {
                lastNumber += 1
                known.append((lastNumber, peer))
            }
            lost.removeAll { $0 == peer.id }
        case .lost(let id):
            forget(id)
            // The search has ended before. While it lasts, its end is not put off by machines that come and go.
            if isAsking, candidates.isEmpty { waitingSince = now }
        case .allForNow:
            hasAllForNow = true
            return .none
        case .failed: return .none
        }
        lastNews = now
        if candidates.isEmpty { candidatesSince = nil } else { candidatesSince = candidatesSince ?? now }
        hasNews = isAsking
        return isAsking ? askAgain(at: now) : .none
    }

    /// Replaces the question, but not too often.
    private mutating func askAgain(at now: ContinuousClock.Instant) -> Action {
        guard now - askedAt >= Self.redrawTime else { return .none }
        let before = asked
        let action = ask(at: now)
        // An announcement may change without a difference that the question shows.
        return asked == before ? .none : action
    }

    /// Notes that a peer is lost; if there are too many lost peers, the earliest is removed.
    private mutating func forget(_ id: DiscoveredPeer.ID) {
        guard known.contains(where: { $0.peer.id == id }), !lost.contains(id) else { return }
        lost.append(id)
        guard lost.count > Self.maximumLost else { return }
        let first = lost.removeFirst()
        known.removeAll { $0.peer.id == first }
    }

    private mutating func decide(at now: ContinuousClock.Instant) -> Action {
        let waited = now - waitingSince
        let isLate = search.timeout.map { waited >= $0 } ?? false
        let candidates = candidates
        let haveAnswered = hasAllForNow || !candidates.isEmpty && waited >= Self.answerTime
        let isLong = candidatesSince.map { now - $0 >= Self.longestSettleTime } ?? false
        let isSettled = haveAnswered && (now - lastNews >= Self.settleTime || isLong)
        // Who is announced at other addresses has started again.
        let others = candidates.filter {
            $0.id != search.refusing?.id || $0.socketAddresses != search.refusing?.socketAddresses
        }
        if others.isEmpty, !candidates.isEmpty, !isLate, waited < RetryPolicy.delay { return .none }
        guard let first = others.first ?? candidates.first else {
            if isLate { return .giveUp(.noSender(search, others: present)) }
            guard search.timeout == nil, !hasAdvised, waited >= Self.adviceTime else { return .none }
            hasAdvised = true
            return .advise(others: present)
        }
        guard isLate || isSettled else { return .none }
        // The offer of a single sender is asked about when it has arrived.
        if candidates.count == 1 || others.count == 1 { return .choose(first) }
        return asks ? ask(at: now) : .giveUp(.several(search, candidates))
    }

    private mutating func ask(_ objection: SenderList.Objection? = nil, at now: ContinuousClock.Instant) -> Action {
        (isAsking, hasNews, askedAt) = (true, false, now)
        var list = list
        asked = list
        list.objection = objection
        return .ask(list)
    }

    private mutating func answered(_ answer: SenderAnswer, at now: ContinuousClock.Instant) -> Action {
        isAsking = false
        switch answer {
        case .link(let link): return .follow(link)
        case .declined: return .giveUp(.noneChosen)
        case .words(let words):
            let name = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return named(name, number: words.filter { !$0.isWhitespace }, at: now)
        }
    }

    private mutating func named(_ name: String, number word: String, at now: ContinuousClock.Instant) -> Action {
        let candidates = candidates
        if let number = Int(word), let peer = candidates.first(where: { self.number(of: $0) == number }) {
            return .choose(peer)
        }
        if candidates.count == 1, let only = candidates.first, ["", "y", "yes"].contains(word.lowercased()) {
            return .choose(only)
        }
        let named = PeerQuery(name, trustedPeers: search.trustedPeers).matches(candidates)
        if named.count == 1 { return .choose(named[0]) }
        if word.isEmpty || candidates.isEmpty { return ask(at: now) }
        if Int(word) != nil { return ask(.noNumber(word), at: now) }
        return ask(named.isEmpty ? .noSender(name) : .severalSenders(name), at: now)
    }

    private func number(of peer: DiscoveredPeer) -> Int {
        known.first { $0.peer.id == peer.id }?.number ?? lastNumber + 1
    }
}
