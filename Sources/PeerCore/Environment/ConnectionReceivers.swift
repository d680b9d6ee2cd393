import NIOCore
import PeerProtocol

/// Whoever gets the parts of a connection that another one has begun to read.
protocol PartReceiver: Sendable {
    /// The peer has sent a part. Parts are delivered one at a time, in order.
    func received(_ part: InboundPart) async

    /// The connection is closed.
    func transportClosed(_ error: (any Error)?) async
}

/// Those to whom the connections of a session's listener are handed if they carry no link.
struct ConnectionReceivers: Sendable {
    let attachments: AttachmentBook

    /// Returns who takes a connection; nil if nobody does.
    func take(_ connection: FrameConnection, _ handover: ConnectionHandover) async -> (any PartReceiver)? {
        switch handover {
        case .lane(let secret, let peer, let place):
            guard let take = place.admission.joined(place.number, secret: secret, peer: peer),
                take(place.number, connection)
            else { return nil }
            return Lane(connection: connection)
        case .attachment(let secret, let machine, let place):
            guard let peer = machine.certifiedID, place.admission.linked(place.number) else { return nil }
            let arrival = AttachmentBook.Arrival(connection: connection, machine: machine, place: place)
            guard attachments.hand(arrival, presenting: secret, from: peer) else { return nil }
            return await arrival.receiver.value(ifCancelled: nil)
        }
    }
}

/// A lane, on which a receiver sends nothing.
private struct Lane: PartReceiver {
    let connection: FrameConnection

    func received(_ part: InboundPart) async { connection.close() }
    func transportClosed(_ error: (any Error)?) async {}
}
