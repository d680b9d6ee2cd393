import PeerCore
import PeerProtocol

/// How other machines find this one.
struct Presence {
    /// Where this machine listens.
    var port = 0
    /// The token of this session's share links.
    let token: ShareToken
    /// The calls that announce this machine, in order: the last one counts.
    private var announcements: [Announcement] = []

    /// A call that announces this machine.
    struct Announcement: Sendable {
        let number: Int
        /// Signals that another call has begun or ended.
        let changes = ReadyQueue<Void>(maximumCount: 1)
    }

    init(token: ShareToken) { self.token = token }

    /// Adds the call of an announcement, which takes the place of the others.
    mutating func add(_ number: Int) -> Announcement {
        let call = Announcement(number: number)
        announcements.append(call)
        tell()
        return call
    }

    /// Removes a call that has ended.
    mutating func remove(_ call: Announcement) {
        announcements.removeAll { $0.number == call.number }
        tell()
    }

    /// Whether a call is the last one.
    func isLast(_ call: Announcement) -> Bool { announcements.last?.number == call.number }

    /// Ends all announcements, so that their calls return.
    func endAnnouncements() {
        for call in announcements { call.changes.finish() }
    }

    /// Tells all calls that something has changed.
    func tell() {
        for call in announcements { call.changes.add(()) }
    }
}

extension PeerStates {
    /// Announces this machine until `ended` returns or the task is cancelled, and reports what becomes of the announcement.
    func announce(
        _ info: [String: String],
        _ name: String,
        port: Int,
        _ configuration: PeerSession.Configuration,
        by discovery: any DiscoveryBackend,
        until ended: @escaping @Sendable () async -> Void
    ) async throws(PeerError) {
        let advertiser = PeerAdvertiser(serviceType: configuration.local.application, backend: discovery)
        let properties = DiscoveryInfo(
            peerID: configuration.announcesIdentity ? configuration.local.id : nil,
            displayName: name,
            software: configuration.local.software,
            encryption: .required,
            custom: info
        )
        do {
            try await advertiser.withAdvertisement(instanceName: name, port: port, info: properties) { events in
                _ = await stoppable({ for await event in events { self.report(.announcement(event)) } }, by: ended)
            }
        } catch {
            if Task.isCancelled { return }
            throw error as? PeerError ?? .discoveryStopped(error)
        }
    }
}

extension PeerTransport {
    /// The addresses at which this machine listens on a port, without zones.
    ///
    /// A zone is the name of an interface of this machine, which means nothing on another machine.
    func listeningAddresses(port: Int) -> [PeerAddress] {
        var addresses: [PeerAddress] = []
        for text in ownAddresses(port: port) {
            guard var address = PeerAddress(parsing: text) else { continue }
            address.host = String(address.host.prefix { $0 != "%" })
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }
}
