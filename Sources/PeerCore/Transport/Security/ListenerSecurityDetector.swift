import NIOCore
import NIOSSL

/// Detects TLS or plain text by the first byte of a connecting peer, and adds the TLS handler for TLS.
final class ListenerSecurityDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let preference: EncryptionPreference
    private let preface: Preface
    private let makeTLSHandler: () -> NIOSSLServerHandler
    private var isDecided = false

    init(preference: EncryptionPreference, preface: Preface, makeTLSHandler: @escaping () -> NIOSSLServerHandler) {
        self.preference = preference
        self.preface = preface
        self.makeTLSHandler = makeTLSHandler
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard !isDecided, let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else {
            if isDecided { context.fireChannelRead(data) }
            return
        }
        isDecided = true
        switch (first, preference) {
        case (Preface.firstByteOfTLS, .required), (Preface.firstByteOfTLS, .optional):
            do {
                try context.pipeline.syncOperations.addHandler(makeTLSHandler(), position: .after(self))
            } catch {
                context.fireErrorCaught(error)
                return
            }
        case (Preface.firstByteOfTLS, .none): context.fireUserInboundEventTriggered(Event.mismatch(.encryption))
        case (preface.bytes.first, .required): context.fireUserInboundEventTriggered(Event.mismatch(.plainText))
        case (preface.bytes.first, _): context.fireUserInboundEventTriggered(Event.plainText)
        default: context.fireUserInboundEventTriggered(Event.unknownProtocol)
        }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

extension ListenerSecurityDetector {
    /// What the first bytes of a connection say about encryption.
    enum Event: Sendable {
        case plainText
        case mismatch(Inbound.PeerWish)
        case unknownProtocol
        /// A web server answers.
        case webPage
    }
}
