import NIOCore
import PeerProtocol

extension FrontDesk {
    /// Gives a connection that has presented a secret to whoever expects it, and waits until it is closed.
    ///
    /// A connection that nobody expects is closed.
    func attach(
        _ connection: FrameConnection,
        _ secret: LaneSecret,
        from peer: PeerID,
        _ number: Int,
        _ admission: Admission
    ) async {
        guard admission.linked(number),
            attachments.hand(
                AttachmentBook.Arrival(connection: connection, number: number, admission: admission),
                presenting: secret,
                from: peer
            )
        else { return connection.abort() }
        await withTaskCancellationHandler {
            try? await connection.channel.closeFuture.get()
        } onCancel: {
            connection.abort()
        }
    }

    /// Runs a lane of an attached connection until it is closed.
    ///
    /// A program that offers transfers of its own leaves lanes to their sender.
    static func runLane(_ connection: FrameConnection, _ number: Int, _ admission: Admission) async {
        await withTaskExecutorPreference(EventLoopExecutor.of(connection.channel.eventLoop)) {
            var peer: PeerID?
            try? await connection.asyncChannel.executeThenClose { inbound in
                for try await part in inbound {
                    switch part {
                    case .opened(.encrypted(let id)):
                        peer = id
                    case .frame(.join(let join)):
                        guard let take = admission.joined(number, secret: join.secret, peer: peer),
                            take(number, connection)
                        else { return }
                    default:
                        // A receiver sends nothing else on a lane.
                        return
                    }
                }
            }
        }
    }
}
