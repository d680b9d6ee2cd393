import NIOCore
import NIOSSL
import NIOTLS

/// Closes a connection whose client does not complete the TLS handshake in time, and notes the client's certificate.
///
/// Stands behind the handler of TLS.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let client: ConnectedClient
    private let time: Duration
    private let slots: Slots
    private var slot: Int?
    private var deadline: Scheduled<Void>?

    init(_ client: ConnectedClient, _ time: Duration, _ slots: Slots) {
        (self.client, self.time, self.slots) = (client, time, slots)
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        slot = slots.take(for: context.remoteAddress?.ipAddress ?? "") { channel.close(promise: nil) }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            end()
            // A resumed session has the certificate of its first handshake.
            let certificate = try? context.channel.pipeline.syncOperations.nioSSL_peerCertificate()
            client.proved(try? certificate?.toDERBytes())
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func end() {
        deadline?.cancel()
        if let slot { slots.give(slot) }
        slot = nil
    }
}
