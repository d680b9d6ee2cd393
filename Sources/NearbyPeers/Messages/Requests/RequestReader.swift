import PeerCore
import PeerProtocol

/// Reads the requests of one type, from all peers in the order in which they arrive.
final class RequestReader: Sendable {
    private let name: String
    private let queue: QueueReader<Inboxes.PendingRequest>
    private let report: @Sendable (PeerEvent) -> Void

    init(_ name: String, _ inboxes: Inboxes, report: @escaping @Sendable (PeerEvent) -> Void) throws(PeerError) {
        self.name = name
        self.report = report
        self.queue = try inboxes.readRequests(name)
    }

    func next() async -> Inboxes.PendingRequest? {
        guard let pending = await queue.next() else { return nil }
        if RequestEntry.isLong(pending.request.number) { pending.link.took(pending.request.number) }
        return pending
    }

    /// Refuses a request that is not what its name says.
    func refuse(_ pending: Inboxes.PendingRequest) {
        if pending.link.allowsReport(name) {
            report(.notUnderstood(message: name, version: Int(pending.request.version), from: pending.link.peer))
        }
        pending.link.refuse(pending.request.number, .notUnderstood)
    }
}
