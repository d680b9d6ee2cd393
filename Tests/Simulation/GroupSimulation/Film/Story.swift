/// What happens in a film, in words.
package struct Story: Sendable {
    /// A sentence, and when it begins to be true.
    package struct Line: Codable, Equatable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case fault
            case repair
            case news
        }

        package var time: Int
        package var kind: Kind
        package var text: String
    }

    private(set) var lines: [Line] = []
    private let film: Film

    init(of film: Film) {
        self.film = film
        for episode in film.episodes { tell(episode) }
        for resource in film.resources { tell(resource) }
        for peer in film.names.indices { tellDeparture(peer) }
        if let first = film.messages.first {
            add(first.time, .news, "They begin to talk. Each dot is a message on its way to one of its hearers.")
        }
        let sums = "\(film.messages.count) messages were sent, and heard \(film.heardCount) times"
        add(film.length, .news, "\(sums). On links that lasted, none was lost, doubled or out of order.")
        // Stable: of two lines of one time, the one that was added first comes first.
        lines = lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private mutating func tell(_ episode: Episode) {
        let who = names(episode.peers)
        switch episode.kind {
        case .start:
            let isGroup = episode.peers.count > 1
            add(episode.time, .news, isGroup ? "\(who) start the program, one after the other." : "\(who) starts late.")
        case .cable: add(episode.time, .fault, "\(who)’s cable is out.")
        case .split:
            let others = names(film.names.indices.filter { !episode.peers.contains($0) })
            add(episode.time, .fault, "The network splits in two: \(who) on one side, \(others) on the other.")
        case .killed: add(episode.time, .fault, "\(who)’s program is killed.")
        case .cut: add(episode.time, .fault, "The connection between \(who) breaks.")
        }
        tellNotice(of: episode, who)
        // A fault that lasts as long as the film has no end to tell.
        guard episode.end < film.length else { return }
        switch episode.kind {
        case .cable: add(episode.end, .repair, "\(who)’s cable is plugged in again.")
        case .split: add(episode.end, .repair, "The network is whole again.")
        case .killed: add(episode.end, .repair, "\(who)’s program starts again.")
        case .start, .cut: break
        }
        tellReturn(from: episode, who)
    }

    /// Says when the first of those who are linked notices a fault that makes no noise.
    private mutating func tellNotice(of episode: Episode, _ who: String) {
        let times = film.links.filter { episode.affectsLink(between: $0.one, $0.two) }.compactMap { link -> Int? in
            let first = link.states.first { $0.time >= episode.time && $0.value == .reconnecting }
            guard let time = first?.time, time < episode.end else { return nil }
            // Whatever else has happened to the other one is not about this episode.
            let others = [link.one, link.two].filter { !episode.peers.contains($0) }
            return others.allSatisfy { film.isRunning($0, at: time) } ? time : nil
        }
        guard let first = times.min() else { return }
        switch episode.kind {
        case .cable: add(first, .news, "The others notice that \(who) is silent. Messages wait.")
        case .split: add(first, .news, "Both parts notice that the other one is silent. Messages wait.")
        case .killed: add(first, .news, "The others notice that \(who) does not answer.")
        case .start, .cut: break
        }
    }

    /// Says when all links that an episode has ended are there again.
    private mutating func tellReturn(from episode: Episode, _ who: String) {
        let affected = film.links.filter {
            episode.affectsLink(between: $0.one, $0.two) && film.isRunning($0.one, at: episode.end)
                && film.isRunning($0.two, at: episode.end)
        }
        // When the last of several programs starts, the first ones are connected already.
        let begin = episode.kind == .start ? episode.time : episode.end
        let times = affected.map { link in
            link.states.first { $0.time >= begin && $0.value == .connected }?.time
        }
        guard let time = times.compactMap(\.self).max(), !times.contains(nil) else { return }
        let others = affected.count == 1 ? "the other one" : "all \(affected.count) others"
        switch episode.kind {
        case .start where episode.peers.count > 1:
            add(time, .repair, "All \(episode.peers.count) are connected with one another: \(affected.count) links.")
        case .start: add(time, .repair, "\(who) is connected with \(others).")
        case .cable: add(time, .repair, "\(who) is back with \(others).\(arrivals(after: episode))")
        case .split:
            add(time, .repair, "All \(affected.count) links between the two parts are back.\(arrivals(after: episode))")
        case .killed: add(time, .repair, "\(who) is back with \(others).")
        case .cut:
            let seconds = Double((time - episode.time + 50) / 100) / 10
            add(time, .repair, "\(who) are connected again, after \(seconds) s.")
        }
    }

    /// How many messages waited for the end of an episode.
    private func arrivals(after episode: Episode) -> String {
        let sent = film.messages.filter { $0.time >= episode.time && $0.time < episode.end }
        let count = sent.reduce(0) { count, message in
            count
                + message.heard.count {
                    $0.time >= episode.end && episode.affectsLink(between: message.sender, $0.peer)
                }
        }
        return switch count {
        case 0: ""
        case 1: " A message that waited arrives."
        default: " \(count) messages that waited arrive."
        }
    }

    private mutating func tell(_ resource: Film.Resource) {
        let (sender, receiver) = (film.names[resource.sender], film.names[resource.receiver])
        add(resource.time, .news, "\(sender) sends \(receiver) a file of \(resource.length / 1000) kB.")
        guard let end = resource.end else { return }
        if resource.isReceived {
            add(end, .repair, "\(receiver) has all of \(sender)’s file.")
        } else {
            add(end, .fault, "\(sender)’s file does not arrive.")
        }
    }

    private mutating func tellDeparture(_ peer: Int) {
        for change in film.presences[peer] where change.value == .left {
            add(change.time, .news, "\(film.names[peer]) says goodbye and leaves.")
            let ends = film.links.filter { $0.one == peer || $0.two == peer }.map { link in
                link.states.first { $0.time >= change.time && $0.value == .none }?.time
            }
            guard let time = ends.compactMap(\.self).max(), !ends.contains(nil) else { continue }
            add(time, .news, "All others have heard that \(film.names[peer]) has left.")
        }
    }

    private mutating func add(_ time: Int, _ kind: Line.Kind, _ text: String) {
        lines.append(Line(time: time, kind: kind, text: text))
    }

    private func names(_ peers: [Int]) -> String {
        let names = peers.sorted().map { film.names[$0] }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension Film {
    /// Whether a peer's program runs at a time.
    func isRunning(_ peer: Int, at time: Int) -> Bool {
        presences[peer].last { $0.time <= time }?.value == .running
    }
}
