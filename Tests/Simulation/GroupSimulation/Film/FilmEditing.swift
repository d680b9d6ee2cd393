/// Turns what was recorded, event by event, into what a film shows, peer by peer and link by link.
struct FilmEditing {
    private(set) var presences: [[Film.Change<Film.Presence>]]
    private(set) var networks: [Film.Change<[Int]>]
    private(set) var links: [Film.Link]
    private(set) var messages: [Film.Message] = []
    private(set) var resources: [Film.Resource] = []
    private let count: Int
    /// What each machine's program says of its links.
    private var views: [[Film.LinkState]]
    private var runs: [Int: Run] = [:]
    private var messageIndexes: [Key: Int] = [:]
    private var resourceIndexes: [Flow: Int] = [:]

    private struct Key: Hashable {
        var series: Ledger.Series
        var number: Int
    }

    init(count: Int) {
        self.count = count
        presences = Array(repeating: [], count: count)
        networks = [Film.Change(time: 0, value: Array(repeating: 0, count: count))]
        links = (0..<count).flatMap { one in
            (one + 1..<count).map { Film.Link(one: one, two: $0, states: [], cuts: []) }
        }
        views = Array(repeating: Array(repeating: .none, count: count), count: count)
    }

    mutating func add(_ entry: Recording.Entry) {
        let time = entry.time
        switch entry.event {
        case .started(let run):
            runs[run.machine] = run
            presences[run.machine].append(Film.Change(time: time, value: .running))
        case .killed(let run): end(run, .killed, time)
        case .left(let run): end(run, .left, time)
        case .separated(let groups):
            let parts = (0..<count).map { machine in (groups.firstIndex { $0.contains(machine) } ?? -1) + 1 }
            networks.append(Film.Change(time: time, value: parts))
        case .healed:
            let whole = Array(repeating: 0, count: count)
            if networks.last?.value != whole { networks.append(Film.Change(time: time, value: whole)) }
        case .cut(let one, let two):
            guard let index = index(one, two) else { return }
            links[index].cuts.append(time)
        case .saw(let run, let machine, let isConnected, let isRestored):
            // A program that was killed sees nothing any more.
            guard runs[run.machine] == run else { return }
            views[run.machine][machine] = isConnected ? .connected : isRestored ? .reconnecting : .none
            update(run.machine, machine, time)
        case .sent(let series, let number):
            messageIndexes[Key(series: series, number: number)] = messages.count
            let (sender, run) = (series.sender.machine, series.sender.number)
            messages.append(Film.Message(sender: sender, run: run, number: number, time: time, heard: []))
        case .heard(let series, let number, let reader):
            guard let index = messageIndexes[Key(series: series, number: number)] else { return }
            messages[index].heard.append(Film.Message.Hearing(peer: reader.machine, time: time))
        case .offered(let flow, let receiver):
            resourceIndexes[flow] = resources.count
            resources.append(
                Film.Resource(
                    sender: flow.sender.machine,
                    receiver: receiver,
                    length: flow.length,
                    time: time,
                    isReceived: false
                )
            )
        case .settled(let flow, let isReceived):
            guard let index = resourceIndexes[flow] else { return }
            resources[index].end = resources[index].end ?? time
            resources[index].isReceived = resources[index].isReceived || isReceived
        }
    }

    private mutating func end(_ run: Run, _ presence: Film.Presence, _ time: Int) {
        runs[run.machine] = nil
        presences[run.machine].append(Film.Change(time: time, value: presence))
        for other in 0..<count {
            views[run.machine][other] = .none
            update(run.machine, other, time)
        }
    }

    private mutating func update(_ one: Int, _ two: Int, _ time: Int) {
        guard let index = index(one, two) else { return }
        let state: Film.LinkState =
            switch (views[one][two], views[two][one]) {
            case (.connected, .connected): .connected
            case (.none, .none): .none
            case (.reconnecting, _), (_, .reconnecting): .reconnecting
            default: .oneSided
            }
        guard (links[index].states.last?.value ?? .none) != state else { return }
        links[index].states.append(Film.Change(time: time, value: state))
    }

    private func index(_ one: Int, _ two: Int) -> Int? {
        links.firstIndex { ($0.one, $0.two) == (min(one, two), max(one, two)) }
    }
}
