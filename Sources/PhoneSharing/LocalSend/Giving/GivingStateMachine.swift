import FoundationEssentials
import RegionSharing
import RegionStore

/// What a sender gives to phones by LocalSend: to whom, in which order, and when that is all.
///
/// A pure value. Each phone gets one file at a time, as LocalSend wants it; several phones get theirs at once.
struct GivingStateMachine: Sendable {
    /// What to do.
    enum Action: Hashable, Sendable {
        /// Ask to which of these phones something is sent.
        case ask([LocalSendPhone])
        /// Replace the list of the question.
        case list([LocalSendPhone])
        /// Send a file; whether the phone was wanted from the start.
        case send(Int, PhoneChoice, isWanted: Bool)
        /// Stop what is sent.
        case stop(Int)
        /// It is not plain which phone a name means.
        case doubt(name: String, isChanged: Bool)
        /// All is done: with success, or with an error of a wanted phone.
        case end(LocalSendError?)
    }

    private struct Running: Sendable {
        var number: Int
        var isWanted: Bool
        var choice: PhoneChoice
    }

    /// What is sent to wanted phones: the regions and the kind of each file.
    private let files: [(region: UUID, kind: DownloadKind)]
    /// Whether a person picks phones.
    private let asks: Bool
    /// Whether it ends when the wanted phones, or without them the first one, have everything.
    private let isAfterFirst: Bool
    private var wanted: WantedPhones
    private var phones: [LocalSendPhone] = []
    private var isAsking = false
    private var isUnheard = false
    private var count = 0
    /// What is being sent, by the number of the phone.
    private var running: [Int: Running] = [:]
    /// What comes next, by the number of the phone.
    private var waiting: [Int: [(choice: PhoneChoice, isWanted: Bool)]] = [:]
    private var firstError: LocalSendError?
    private(set) var hasSent = false

    /// The number of transfers that run.
    var openCount: Int { running.count }
    /// The names of the wanted phones that were not found.
    var missing: [String] { wanted.missing }

    /// Creates it.
    ///
    /// - Parameters:
    ///   - names: The phones that are wanted from the start.
    ///   - files: What those get.
    ///   - asks: Whether a person picks phones.
    ///   - isAfterFirst: Whether it ends when the wanted phones, or without them the first one, have everything.
    init(wanting names: [String], _ files: [(region: UUID, kind: DownloadKind)], asks: Bool, isAfterFirst: Bool) {
        (wanted, self.files) = (WantedPhones(names), files)
        (self.asks, self.isAfterFirst) = (asks, isAfterFirst)
    }

    /// The phones that are there now.
    mutating func found(_ phones: [LocalSendPhone]) -> [Action] {
        let isNew = phones != self.phones
        self.phones = phones
        let before = wanted.states
        var actions: [Action] = []
        for phone in wanted.found(phones) {
            for file in files { actions += send(PhoneChoice(phone, file.region, file.kind), isWanted: true) }
        }
        for (index, state) in wanted.states.enumerated() where state != before[index] {
            guard [.ambiguous, .changed].contains(state) else { continue }
            actions.append(.doubt(name: wanted.names[index], isChanged: state == .changed))
        }
        if isAsking {
            if isNew { actions.append(.list(phones)) }
        } else {
            actions += ask()
        }
        return actions
    }

    /// A person has answered; nil if there is nobody to answer.
    mutating func answered(_ answer: PhonesAnswer?) -> [Action] {
        isAsking = false
        var actions: [Action] = []
        switch answer {
        case .send(let choice): actions = send(choice, isWanted: false)
        case .stop(let phone):
            waiting[phone.number] = nil
            if let running = running[phone.number] { actions = [.stop(running.number)] }
        case nil: isUnheard = true
        }
        return actions + ask()
    }

    /// A transfer has ended; `end` is nil if the phone has the file.
    mutating func ended(_ number: Int, _ end: LocalSendEnd?) -> [Action] {
        guard let (key, ended) = running.first(where: { $0.value.number == number }) else { return [] }
        running[key] = nil
        if end == nil { hasSent = true }
        // A phone that needs nothing has it.
        if let end, end != .notNeeded, ended.isWanted { firstError = firstError ?? .ended(ended.choice.phone, end) }
        if var next = waiting[key], !next.isEmpty {
            let (choice, isWanted) = next.removeFirst()
            waiting[key] = next
            return begin(choice, isWanted)
        }
        return conclusion
    }

    /// The sender ends: whatever runs is stopped, and nothing else begins.
    mutating func closed() -> [Action] {
        (waiting, isUnheard) = ([:], true)
        return running.values.map(\.number).sorted().map { .stop($0) }
    }

    /// What follows if everything is sent that was to be.
    private var conclusion: [Action] {
        guard isAfterFirst, running.isEmpty else { return [] }
        guard wanted.names.isEmpty else { return wanted.areFound ? [.end(firstError)] : [] }
        return hasSent ? [.end(nil)] : []
    }

    private mutating func ask() -> [Action] {
        guard asks, !isUnheard, !isAsking, !phones.isEmpty else { return [] }
        isAsking = true
        return [.ask(phones)]
    }

    private mutating func send(_ choice: PhoneChoice, isWanted: Bool) -> [Action] {
        let key = choice.phone.number
        guard let present = running[key] else { return begin(choice, isWanted) }
        let next = waiting[key, default: []]
        // A person who picks it twice wants it once.
        let isKnown = ([present.choice] + next.map(\.choice)).contains {
            ($0.region, $0.kind) == (choice.region, choice.kind)
        }
        if !isKnown { waiting[key] = next + [(choice, isWanted)] }
        return []
    }

    private mutating func begin(_ choice: PhoneChoice, _ isWanted: Bool) -> [Action] {
        count += 1
        running[choice.phone.number] = Running(number: count, isWanted: isWanted, choice: choice)
        return [.send(count, choice, isWanted: isWanted)]
    }
}
