import Glibc
import NIOCore

/// Options of TCP sockets.
enum SocketTuning {
    /// How much one read takes from a socket.
    static let readLength = 512 * 1024

    /// How much may wait unsent in the kernel, so that a cancellation never queues behind much bulk data.
    private static let slowUnsentLength: CInt = 128 * 1024

    /// The same for a link on which that much is gone in a few milliseconds; less would make it wait for us.
    private static let fastUnsentLength: CInt = 2 * 1024 * 1024

    static func apply(to channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.socketOption(.tcp_nodelay), value: 1)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readLength))
        try options.setOption(unsentOption, value: SocketOptionValue(slowUnsentLength))
    }

    /// Says whether the link has shown to be fast.
    static func setFast(_ isFast: Bool, on channel: any Channel) {
        let length = isFast ? fastUnsentLength : slowUnsentLength
        // Only a matter of speed: a connection that is closed by now says so elsewhere.
        channel.setOption(unsentOption, value: SocketOptionValue(length)).whenComplete { _ in }
    }

    private static var unsentOption: ChannelOptions.Types.SocketOption {
        .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
    }
}
