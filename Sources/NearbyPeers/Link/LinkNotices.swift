import FoundationEssentials
import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Passes on what the links of a session notice: to the readers of the application, to resources, and to the hub.
struct LinkNotices: Sendable {
    /// What the hub has to do.
    enum Matter: Sendable {
        /// End the link: the peer broke the protocol.
        case violated(ProtocolError)
        /// Give the link up: it had no connection for too long.
        case lost
        /// Process the member records that have arrived.
        case members
    }

    let states: PeerStates
    let inboxes: Inboxes
    let resources: ResourceTransfers
    let logger: Logger
    /// Passes on what the hub has to do.
    let tellHub: @Sendable (Matter, LinkDriver) -> Void

    /// Handles a notice of a link; called without its lock, on any thread.
    func received(_ notice: LinkNotice, from link: LinkDriver) {
        let id = link.peer
        switch notice {
        case .violated(let error):
            tellHub(.violated(error), link)
        case .lost:
            tellHub(.lost, link)
        case .unread(let name):
            logger.notice("messages are not read", metadata: ["message": "\(name)", "peer": "\(id.short)"])
            states.report(.unread(message: name, from: id))
        case .notUnderstood(let name, let version):
            states.report(.notUnderstood(message: name, version: version, from: id))
        case .request(let stream, let name):
            inboxes.add(Inboxes.PendingRequest(link: link, stream: stream), named: name.text)
        case .stream(let opening):
            let stream = PeerStream(
                name: opening.name,
                metadata: Data(opening.metadata.readableBytesView),
                number: opening.stream,
                link: link
            )
            inboxes.add(stream)
        case .withdrawn(let stream):
            inboxes.withdraw(stream, of: link)
        case .resource(let notice):
            resources.received(notice, on: link)
        case .members(let list):
            switch link.members.add(list.members) {
            case .process: tellHub(.members, link)
            case .violated:
                let error = ProtocolError(.limitExceeded, "The other side names more members than a group can have.")
                tellHub(.violated(error), link)
            case .none: break
            }
        }
    }
}
