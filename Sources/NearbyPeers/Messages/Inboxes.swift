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

    /// A complete request.
    struct PendingRequest: Sendable {
        var link: LinkDriver
        var stream: UInt32
    }

    private struct State {
        var messages: [Key: ReadyQueue<LinkDriver>] = [:]
        /// The readers whose queue had no room for a link.
        var crowded: Set<Key> = []
        var requests: [String: ReadyQueue<PendingRequest>] = [:]
        var readRequests: Set<String> = []
        var areStreamsRead = false
        var areInvitationsRead = false
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

    /// Creates the inboxes of an application that understands these types.
    init(messages: [String: UInt16], requests: [String: UInt16]) {
        self.messageVersions = messages
        self.requestVersions = requests
        var state = State()
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

    /// Whether this application answers requests of a type.
    func answers(_ name: String) -> Bool { requestVersions[name] != nil }

    /// Whether messages of a type on a channel have a reader.
    func hasReader(_ key: Key) -> Bool { box.withLockedValue { $0.messages[key] != nil } }

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
    func release(_ length: Int) {
        box.withLockedValue { $0.leftoverLength -= length }
    }

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
    func add(_ request: PendingRequest, named name: String) {
        guard box.withLockedValue({ $0.requests[name] })?.add(request) != true else { return }
        request.link.cancel(request.stream, .tooMany, "")
    }

    /// Adds a stream for the reader of streams; refuses it if there is no reader.
    func add(_ stream: PeerStream) {
        guard areStreamsRead, streams.add(stream) else { return stream.refuse() }
        // The reader may have gone in the meantime.
        if !areStreamsRead { refuseStreams() }
    }

    /// Whether streams have a reader.
    var areStreamsRead: Bool { box.withLockedValue { $0.areStreamsRead } }

    /// Whether requests of a type have a reader.
    func areRequestsRead(_ name: String) -> Bool { box.withLockedValue { $0.readRequests.contains(name) } }

    private func refuseStreams() {
        for stream in streams.takeAll() { stream.refuse() }
    }

    /// Removes a request or a stream that the other side has cancelled.
    func withdraw(_ stream: UInt32, of link: LinkDriver) {
        for queue in box.withLockedValue({ Array($0.requests.values) }) {
            queue.removeAll { $0.stream == stream && $0.link === link }
        }
        streams.removeAll { $0.isStream(stream, of: link) }
    }

    /// Begins to read messages.
    ///
    /// - Throws: ``PeerError`` if there is a reader already.
    func readMessages(_ key: Key) throws(PeerError) -> ReadyQueue<LinkDriver> {
        let queue = box.withLockedValue { state -> ReadyQueue<LinkDriver>? in
            guard state.messages[key] == nil else { return nil }
            let queue = ReadyQueue<LinkDriver>()
            if state.isFinished { queue.finish() }
            state.messages[key] = queue
            return queue
        }
        guard let queue else { throw .readTwice("Another reader already reads these messages.") }
        return queue
    }

    /// Ends the reading of these messages.
    func stopReading(_ key: Key) {
        let queue = box.withLockedValue { state in
            state.crowded.remove(key)
            return state.messages.removeValue(forKey: key)
        }
        queue?.finish()
    }

    /// Begins to read requests.
    ///
    /// - Throws: ``PeerError`` if there is a reader already, or if the application does not name them in its configuration.
    func readRequests(_ name: String) throws(PeerError) -> ReadyQueue<PendingRequest> {
        let (queue, isFirst) = box.withLockedValue { state in
            (state.requests[name], state.readRequests.insert(name).inserted)
        }
        guard let queue else {
            throw PeerError(
                .invalidArgument,
                "The session's configuration does not name the request “\(name)”.",
                remedy: "Add its type to the configuration's requests."
            )
        }
        guard isFirst else { throw .readTwice("Another reader already reads these requests.") }
        return queue
    }

    /// Ends the reading of these requests; further requests wait for the next reader.
    func stopReadingRequests(_ name: String) {
        _ = box.withLockedValue { $0.readRequests.remove(name) }
    }

    /// Begins to read the streams of peers; waiting streams are refused when the reader is released.
    ///
    /// - Throws: ``PeerError`` if there is a reader already.
    func readStreams() throws(PeerError) -> QueueReader<PeerStream> {
        let isFirst = box.withLockedValue { state in
            defer { state.areStreamsRead = true }
            return !state.areStreamsRead
        }
        guard isFirst else { throw .readTwice("Another reader already reads the streams.") }
        return QueueReader(streams) { [self] in
            box.withLockedValue { $0.areStreamsRead = false }
            refuseStreams()
        }
    }

    /// Begins to read invitations; when the reader is released, they wait for the next reader.
    ///
    /// - Throws: ``PeerError`` if there is a reader already.
    func readInvitations() throws(PeerError) -> QueueReader<IncomingInvitation> {
        let isFirst = box.withLockedValue { state in
            defer { state.areInvitationsRead = true }
            return !state.areInvitationsRead
        }
        guard isFirst else { throw .readTwice("Another reader already reads the invitations.") }
        return QueueReader(invitations) { [self] in box.withLockedValue { $0.areInvitationsRead = false } }
    }

    /// Whether invitations have a reader.
    var areInvitationsRead: Bool { box.withLockedValue { $0.areInvitationsRead } }

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
