import NIOCore
import PeerProtocol

/// Whoever gets the parts of a connection that another one has begun to read.
protocol PieceReceiver: Sendable {
    /// The peer has sent a piece. Pieces are delivered one at a time, in order.
    func received(_ piece: InboundPiece) async

    /// The connection is closed.
    func transportClosed(_ error: (any Error)?) async
}

/// Those to whom the connections of a session's listener are handed if they carry no link.
struct ConnectionReceivers: Sendable {
    let attachments: ExpectedAttachments

    /// Returns who takes a connection; nil if nobody does.
    func take(_ connection: FrameConnection, _ handover: ConnectionHandover) async -> (any PieceReceiver)? {
        switch handover {
        case .lane(let secret, let peer, let place):
            guard let take = place.admission.joined(place.number, secret: secret, peer: peer),
                take(place.number, connection)
            else { return nil }
            return Lane(connection: connection)
        case .attachment(let secret, let machine, let place):
            guard let peer = machine.certifiedID, place.admission.linked(place.number) else { return nil }
            let arrival = ExpectedAttachments.Arrival(connection: connection, machine: machine, place: place)
            guard attachments.hand(arrival, presenting: secret, from: peer) else { return nil }
            return await arrival.receiver.value(ifCancelled: nil)
        }
    }
}

/// A lane, on which a receiver sends nothing.
private struct Lane: PieceReceiver {
    let connection: FrameConnection

    func received(_ piece: InboundPiece) async { connection.close() }
    func transportClosed(_ error: (any Error)?) async {}
}
