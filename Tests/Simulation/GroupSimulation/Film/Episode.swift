/// Something that stands in the way of links for a while.
package struct Episode: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// The programs of these peers are started for the first time.
        case start
        /// The cable of these peers is out.
        case cable
        /// The network is in two parts; these peers are in one of them.
        case split
        /// The programs of these peers do not run.
        case killed
        /// The connections between these two peers end.
        case cut
    }

    package var kind: Kind
    package var peers: [Int]
    package var time: Int
    /// When links are possible again.
    package var end: Int

    /// Whether it stands in the way of the link of two peers.
    func affectsLink(between first: Int, _ second: Int) -> Bool {
        let (one, two) = (peers.contains(first), peers.contains(second))
        return switch kind {
        case .split: one != two
        case .cut: one && two
        case .start, .cable, .killed: one || two
        }
    }
}

extension Film {
    /// Finds what stands in the way of links, in the order of time.
    func findEpisodes() -> [Episode] {
        (starts + separations + killings + cuts).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// The first starts of the programs; those that follow each other closely are one.
    private var starts: [Episode] {
        let first = presences.enumerated().compactMap { peer, changes in changes.first.map { (peer, $0.time) } }
        return first.sorted { $0.1 < $1.1 }.reduce(into: []) { episodes, start in
            let (peer, time) = start
            if let last = episodes.last, time - last.end < 2_000 {
                episodes[episodes.count - 1].peers.append(peer)
                episodes[episodes.count - 1].end = time
            } else {
                episodes.append(Episode(kind: .start, peers: [peer], time: time, end: time))
            }
        }
    }

    private var separations: [Episode] {
        let ends = networks.dropFirst().map(\.time) + [length]
        return zip(networks, ends).compactMap { network, end in
            let parts = Dictionary(grouping: network.value.indices) { network.value[$0] }
            guard parts.count > 1, let smallest = parts.values.min(by: { $0.count < $1.count }) else { return nil }
            let kind: Episode.Kind = smallest.count == 1 ? .cable : .split
            return Episode(kind: kind, peers: smallest, time: network.time, end: end)
        }
    }

    private var killings: [Episode] {
        presences.enumerated().flatMap { peer, changes in
            changes.enumerated().filter { $0.element.value == .killed }.map { index, change in
                let end = index + 1 < changes.count ? changes[index + 1].time : length
                return Episode(kind: .killed, peers: [peer], time: change.time, end: end)
            }
        }
    }

    private var cuts: [Episode] {
        links.flatMap { link in
            link.cuts.map { Episode(kind: .cut, peers: [link.one, link.two], time: $0, end: $0) }
        }
    }
}
