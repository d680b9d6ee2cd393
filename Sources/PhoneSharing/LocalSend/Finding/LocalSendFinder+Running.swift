import HostNetwork
import LocalSend
import PeerProtocol
import RegionSharing
import RegionStore
import Synchronization

extension LocalSendFinder {
    /// How often it is looked what is due.
    private static let tick: Duration = .milliseconds(250)
    /// How many devices are asked at a time.
    private static let concurrency = 8
    /// The time after which it is clear that announcements do not even come back to this machine.
    private static let patience: Duration = .seconds(5)

    /// This machine's server listens on a port.
    package func listens(on port: Int) { state.withLock { $0.port = UInt16(clamping: port) } }

    /// Finds, and is found, until the task is cancelled.
    package func run() async {
        let member = MulticastMember(
            of: group,
            in: readNetworks,
            maximumLength: LocalSendLimits.announcementLength
        ) { [weak self] event in
            switch event {
            case .networks(let networks, _):
                self?.state.withLock { state in
                    (state.networks, state.networksSince) = (networks, .now)
                    state.plan.begin(at: .now)
                }
            case .packet(let packet, let network): self?.heard(packet, in: network)
            }
        }
        defer { member.stop() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.announce(with: member) }
            group.addTask { await self.ask(with: member) }
            if isOwnNetwork { group.addTask { await self.search() } }
        }
    }

    /// A datagram has come.
    private func heard(_ packet: MulticastSocket.Packet, in network: LocalNetwork) {
        let address = "\(packet.source)"
        // An own one is only compared, so that others cannot crowd it out.
        let isRead = state.withLock { state in
            if packet.bytes == state.announcement, network.has(packet.source) {
                state.hasHeardItself = true
                return false
            }
            return network.contains(packet.source) && state.directory.admitsDatagram(from: address, at: .now)
        }
        guard isRead, let announcement = try? LocalSendAnnouncement(packet.bytes) else { return }
        change { $0.directory.heard(announcement, from: address, at: .now) }
    }

    /// Announces this machine when it is time, and forgets devices that are gone.
    private func announce(with member: MulticastMember) async {
        var hasSent = false
        var told: Set<LocalSendTrouble> = []
        while !Task.isCancelled {
            let isDue = state.withLock { $0.plan.isDue(at: .now, isWatched: !$0.readers.isEmpty) }
            if isDue {
                let datagram = LocalSendAnnouncement(own, asksForAnswer: true).datagram
                state.withLock { $0.announcement = datagram }
                if !member.send(datagram).isEmpty { hasSent = true }
            }
            change {
                $0.directory.tick(at: .now)
                return .none
            }
            noteSeen()
            if let trouble = trouble(hasSent: hasSent), told.insert(trouble).inserted { tell(.trouble(trouble)) }
            try? await Task.sleep(for: Self.tick)
        }
    }

    /// What is wrong with the networks, as far as there was time to notice.
    private func trouble(hasSent: Bool) -> LocalSendTrouble? {
        state.withLock { state in
            guard ContinuousClock.now - state.networksSince > Self.patience else { return nil }
            if state.networks.isEmpty { return .noNetwork }
            return hasSent && state.hasHeardItself ? nil : .noMulticast
        }
    }

    /// Asks devices who they are, and so tells them who this machine is.
    private func ask(with member: MulticastMember) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await place in places {
                if running >= Self.concurrency {
                    await group.next()
                    running -= 1
                }
                running += 1
                group.addTask {
                    let start = ContinuousClock.now
                    guard await !self.ask(place) else { return }
                    self.state.withLock { $0.directory.failed(at: place.address, since: start, at: .now) }
                    // LocalSend until 1.17 reads an answer by multicast, too.
                    _ = member.send(LocalSendAnnouncement(self.own, asksForAnswer: false).datagram)
                }
            }
        }
    }

    /// Asks who is at a place; returns whether the device that was expected there has answered.
    @discardableResult
    func ask(_ place: LocalSendDirectory.Place) async -> Bool {
        guard let (answer, certificate) = await register(place, own.json()) else { return false }
        let proven = certificate.map { LocalSendFingerprint(certificate: $0) }
        guard place.scheme == .http || proven != nil, place.expected == nil || place.expected == proven,
            let device = try? LocalSendDevice(answer: answer, at: place.port, place.scheme, certificate: proven)
        else { return false }
        change { $0.directory.registered(device, at: place.address, provenBy: proven, at: .now) }
        return true
    }

    /// Looks for devices in this machine's own network as long as none was found there.
    private func search() async {
        var search = NetworkSearch(at: .now)
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            let (isDue, networks) = state.withLock { state in
                (search.isDue(at: .now, hasNeighbours: !state.directory.neighbours.isEmpty), state.networks)
            }
            guard isDue else { continue }
            let known = Neighbour.all().filter { $0.state != .absent }.map(\.address)
            let addresses = networks.flatMap { NetworkSearch.addresses(of: $0, known: known) }
            await withTaskGroup(of: Void.self) { group in
                for (index, address) in addresses.enumerated() {
                    if index >= Self.concurrency { await group.next() }
                    guard !Task.isCancelled else { break }
                    let place = LocalSendDirectory.Place(
                        address: "\(address)",
                        port: LocalSendLimits.usualPort,
                        scheme: .https,
                        expected: nil
                    )
                    group.addTask { await self.ask(place) }
                }
            }
        }
    }

    /// Notes which confirmed phones are here; if the store cannot be written, only the note is missing.
    private func noteSeen() {
        let new = state.withLock { state in
            let texts = state.phones.compactMap { $0.recognition == .confirmed ? $0.fingerprint : nil }
            defer { state.seen.formUnion(texts) }
            return texts.filter { !state.seen.contains($0) }
        }
        for id in new.compactMap({ ContentDigest(hex: $0) }) { try? store.confirmedPhones.noteSeen(id) }
    }

    func tell(_ happening: LocalSendHappening) { person.tell(.phones(.localSend(happening))) }
}
