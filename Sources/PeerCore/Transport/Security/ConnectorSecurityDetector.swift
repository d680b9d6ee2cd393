import NIOCore
import NIOSSL

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
            context.pipeline.fireUserInboundEventTriggered(ListenerSecurityDetector.Event.mismatch(.plainText))
        } else if prefaceBytes.starts(with: Self.firstBytesOfHTTP) {
            isForeign = true
            context.pipeline.fireUserInboundEventTriggered(ListenerSecurityDetector.Event.webPage)
        } else if !preface.bytes.starts(with: prefaceBytes), !Self.firstBytesOfHTTP.starts(with: prefaceBytes) {
            isForeign = true
            context.pipeline.fireUserInboundEventTriggered(ListenerSecurityDetector.Event.unknownProtocol)
        }
    }
}
