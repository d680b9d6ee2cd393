import NIOConcurrencyHelpers
import PeerCore
import PeerProtocol

/// The readers of one session: which reader takes which messages, requests and streams.
final class Inboxes: Sendable {
    /// What a reader of messages reads.
    struct Key: Hashable, Sendable {
        var channel: LinkName
        /// The name of the type; nil for raw bytes.
        var name: LinkName?

        /// The name in reports.
        var text: String { name?.text ?? "bytes" }
    }

    /// A request, and the link on which it arrived.
    struct PendingRequest: Sendable {
        var link: LinkDriver
        var request: LinkState.Request
    }

    /// What has waited for long enough for a reader that has not come.
    struct Expired: Sendable {
        /// Whether messages have waited.
        var hasMessages = false
        /// The links whose messages have waited, some of which may have ended.
        var links: [LinkDriver] = []
        var invitations: [IncomingInvitation] = []
    }

    private struct State {
        /// The links with messages for each reader, which may not exist yet.
        var messages: [Key: ReadyQueue<LinkDriver>] = [:]
        var patience: ReaderPatience
        /// The readers whose queue had no room for a link.
        var crowded: Set<Key> = []
        var requests: [String: ReadyQueue<PendingRequest>] = [:]
        /// The memory of unread data of ended links.
        var leftoverLength = 0
        var isFinished = false
    }

    /// The streams that peers have opened and that wait for their reader.
    let streams = ReadyQueue<PeerStream>()
    /// The invitations of peers that wait for their reader.
    let invitations = ReadyQueue<IncomingInvitation>()
    private let messageVersions: [String: UInt16]
    private let requestVersions: [String: UInt16]
    private let box: NIOLockedValueBox<State>

    /// Creates the inboxes of an application that understands these types, in which messages and invitations wait for so long for
    /// their first reader.
    init(messages: [String: UInt16], requests: [String: UInt16], patience: Duration = .zero) {
        self.messageVersions = messages
        self.requestVersions = requests
        var state = State(patience: ReaderPatience(patience))
        // Requests wait for their reader, so that no request is refused because its handler starts late.
        for name in requests.keys { state.requests[name] = ReadyQueue() }
        self.box = NIOLockedValueBox(state)
    }

    /// The messages and requests that this application can read, as peers are told.
    var types: [(name: String, version: UInt16)] {
        messageVersions.merging(requestVersions) { max($0, $1) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The newest version of a type of message that this application understands; nil if it does not know the type.
    func version(of message: String) -> UInt16? { messageVersions[message] }

    /// The newest version of a type of request that this application answers; nil if it does not know the type.
    func requestVersion(of name: String) -> UInt16? { requestVersions[name] }

    /// Whether messages of a type on a channel have a reader.
    func hasReader(_ key: Key) -> Bool { box.withLockedValue { $0.patience.isRead(.messages(key)) } }

    /// A message has arrived; returns whether it has a reader or waits for its first one.
    func keeps(_ key: Key, at now: () -> ContinuousClock.Instant) -> Bool {
        box.withLockedValue { state in
            // The usual case: there is a reader, or other messages wait for one.
            if state.messages[key] != nil { return true }
            guard state.patience.arrived(.messages(key), at: now()) else { return false }
            state.messages[key] = ReadyQueue()
            return true
        }
    }

    /// An invitation has arrived; returns whether it has a reader or waits for the first one.
    func keepsInvitations(at now: ContinuousClock.Instant) -> Bool {
        invitations.isRead || box.withLockedValue { $0.patience.arrived(.invitations, at: now) }
    }

    /// Takes what has waited for long enough; the caller lets the links drop the messages, and declines the invitations.
    func expire(at now: ContinuousClock.Instant) -> Expired {
        var expired = Expired()
        let (subjects, queues) = box.withLockedValue { state in
            let subjects = state.patience.expire(at: now)
            var queues: [ReadyQueue<LinkDriver>] = []
            for case .messages(let key) in subjects {
                state.crowded.remove(key)
                if let queue = state.messages.removeValue(forKey: key) { queues.append(queue) }
            }
            return (subjects, queues)
        }
        expired.hasMessages = !queues.isEmpty
        expired.links = queues.flatMap { $0.takeAll() }
        if subjects.contains(.invitations), !invitations.isRead { expired.invitations = Array(invitations.takeAll()) }
        return expired
    }

    /// The maximum memory that all ended links together hold for readers: about what one peer can fill.
    static let maximumLeftoverLength = 16 * 1024 * 1024

    /// Reserves memory for unread data of an ended link; returns false if there is no room.
    func reserve(_ length: Int) -> Bool {
        box.withLockedValue { state in
            guard length <= Self.maximumLeftoverLength - state.leftoverLength else { return false }
            state.leftoverLength += length
            return true
        }
    }

    /// Releases reserved memory.
    func release(_ length: Int) { box.withLockedValue { $0.leftoverLength -= length } }

    /// The links whose messages wait for a reader; nil if there is none.
    func queue(of key: Key) -> ReadyQueue<LinkDriver>? { box.withLockedValue { $0.messages[key] } }

    /// Tells a reader that a link has a message for it.
    func notify(_ key: Key, on link: LinkDriver) {
        guard let queue = queue(of: key), !queue.add(link) else { return }
        link.withdrawAnnouncement(to: key)
        _ = box.withLockedValue { $0.crowded.insert(key) }
        // The reader may have made room in the meantime without knowing that the queue was full.
        queue.add(link)
    }

    /// Whether the queue of a reader had no room since the last call.
    func wasCrowded(_ key: Key) -> Bool { box.withLockedValue { $0.crowded.remove(key) != nil } }

    /// Adds a request for its reader; refuses it if too many requests wait.
    ///
    /// - Returns: Whether requests of its type have a reader.
    func add(_ request: PendingRequest) -> Bool {
        let queue = box.withLockedValue { $0.requests[request.request.name.text] }
        if queue?.add(request) != true { request.link.refuse(request.request.number, RequestEnd(.tooMany)) }
        return queue?.isRead == true
    }

    /// Adds a stream for the reader of streams; refuses it if there is no reader.
    func add(_ stream: PeerStream) {
        guard streams.isRead, streams.add(stream) else { return stream.refuse() }
        // The reader may have gone in the meantime.
        if !streams.isRead { refuseStreams() }
    }

    private func refuseStreams() {
        for stream in streams.takeAll() { stream.refuse() }
    }

    /// Removes a request that the other side has withdrawn.
    func withdraw(request number: UInt64, of link: LinkDriver) {
        for queue in box.withLockedValue({ Array($0.requests.values) }) {
            queue.removeAll { $0.request.number == number && $0.link === link }
        }
    }

    /// Removes a stream that the other side has cancelled.
    func withdraw(_ stream: UInt32, of link: LinkDriver) { streams.removeAll { $0.isStream(stream, of: link) } }

    /// Begins to read messages.
    func readMessages(_ key: Key) throws(PeerError) -> ReadyQueue<LinkDriver> {
        let queue = box.withLockedValue { state -> ReadyQueue<LinkDriver>? in
            guard state.patience.began(.messages(key)) else { return nil }
            let queue = state.messages[key] ?? ReadyQueue<LinkDriver>()
            if state.isFinished { queue.finish() }
            state.messages[key] = queue
            return queue
        }
        guard let queue else { throw .readTwice("Another reader already reads these messages.") }
        return queue
    }

    /// Ends the reading of these messages; returns the links that had some for the reader.
    func stopReading(_ key: Key) -> [LinkDriver] {
        let queue = box.withLockedValue { state in
            state.crowded.remove(key)
            state.patience.ended(.messages(key))
            return state.messages.removeValue(forKey: key)
        }
        guard let queue else { return [] }
        queue.finish()
        return Array(queue.takeAll())
    }

    /// Begins to read invitations; when the reader is released, those that wait are for the next one.
    func readInvitations() throws(PeerError) -> QueueReader<IncomingInvitation> {
        let reader = try invitations.read("the invitations") { [self] in
            box.withLockedValue { $0.patience.ended(.invitations) }
        }
        _ = box.withLockedValue { $0.patience.began(.invitations) }
        return reader
    }

    /// Begins to read requests.
    func readRequests(_ name: String) throws(PeerError) -> QueueReader<PendingRequest> {
        guard let queue = box.withLockedValue({ $0.requests[name] }) else {
            throw PeerError(
                .invalidArgument,
                "The session's configuration does not name the request “\(name)”.",
                remedy: "Add its type to the configuration's requests."
            )
        }
        return try queue.read("these requests")
    }

    /// Begins to read the streams of peers; waiting streams are refused when the reader is released.
    func readStreams() throws(PeerError) -> QueueReader<PeerStream> {
        try streams.read("the streams") { [self] in refuseStreams() }
    }

    /// Ends all readers: the session has ended.
    func finish() {
        let state = box.withLockedValue { state in
            state.isFinished = true
            return state
        }
        for queue in state.messages.values { queue.finish() }
        for queue in state.requests.values { queue.finish() }
        streams.finish()
        invitations.finish()
    }
}
