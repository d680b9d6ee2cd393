import NIOCore
import NIOSSL

/// What the first bytes of a connection say about encryption.
enum SecurityEvent: Sendable {
    case plainText
    case mismatch(InboundPiece.PeerWish)
    case unknownProtocol
    /// A web server answers.
    case webPage
}

/// Detects TLS or plain text by the first byte of a connecting peer, and adds the TLS handler for TLS.
final class ListenerSecurityDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let preference: EncryptionPreference
    private let preface: Preface
    private let makeTLSHandler: () -> NIOSSLServerHandler
    private var isDecided = false

    init(
        preference: EncryptionPreference,
        preface: Preface,
        makeTLSHandler: @escaping () -> NIOSSLServerHandler
    ) {
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
        case (Preface.firstByteOfTLS, .none):
            context.fireUserInboundEventTriggered(SecurityEvent.mismatch(.encryption))
        case (preface.bytes.first, .required):
            context.fireUserInboundEventTriggered(SecurityEvent.mismatch(.plainText))
        case (preface.bytes.first, _):
            context.fireUserInboundEventTriggered(SecurityEvent.plainText)
        default:
            context.fireUserInboundEventTriggered(SecurityEvent.unknownProtocol)
        }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

/// Detects a listener that answers a TLS handshake with other bytes.
final class ConnectorSecurityDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The content types with which a TLS server may begin: an alert or a handshake record.
    private static let firstBytesOfTLS: Set<UInt8> = [0x15, 0x16]
    /// The first bytes of an answer of a web server (RFC 9112, section 4).
    private static let firstBytesOfHTTP = Array("HTTP/".utf8)

    private let preface: Preface
    private let activity: ActivityStamp
    private var isForeign = false
    private var prefaceBytes: [UInt8] = []

    init(preface: Preface, activity: ActivityStamp) {
        self.preface = preface
        self.activity = activity
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        activity.hear()
        guard !isForeign, let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        if prefaceBytes.isEmpty, Self.firstBytesOfTLS.contains(first) {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        // TLS must not see these bytes, because its error would hide what they are.
        prefaceBytes += bytes.readableBytesView.prefix(preface.bytes.count - prefaceBytes.count)
        if prefaceBytes == preface.bytes {
            isForeign = true
            context.pipeline.fireUserInboundEventTriggered(SecurityEvent.mismatch(.plainText))
        } else if prefaceBytes.starts(with: Self.firstBytesOfHTTP) {
            isForeign = true
            context.pipeline.fireUserInboundEventTriggered(SecurityEvent.webPage)
        } else if !preface.bytes.starts(with: prefaceBytes), !Self.firstBytesOfHTTP.starts(with: prefaceBytes) {
            isForeign = true
            context.pipeline.fireUserInboundEventTriggered(SecurityEvent.unknownProtocol)
        }
    }
}
