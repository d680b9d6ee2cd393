import Glibc
import NIOCore

/// Options of TCP sockets.
enum SocketTuning {
    /// How much one read takes from a socket.
    static let readLength = 1024 * 1024

    /// How much one read takes from a socket on which nothing but control frames and requests are awaited, or whose link is
    /// slow: there may be many of them, and each keeps what it read into.
    static let shortReadLength = 16 * 1024

    static func apply(to channel: any Channel, readLength: Int) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readLength))
    }

    /// Says how much one read takes from a socket.
    static func setReadLength(_ length: Int, on channel: any Channel) {
        channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: length)).whenComplete { _ in
        }
    }

    /// Says how much the kernel may hold unsent.
    static func setUnsentLength(_ length: Int, on channel: any Channel) {
        // Only a matter of speed: a connection that is closed by now says so elsewhere.
        channel.setOption(unsentOption, value: SocketOptionValue(length)).whenComplete { _ in }
    }

    /// Chooses how a connection answers losses, by the kernel's name for it.
    ///
    /// - Returns: What it did before; nil if the system does not allow it.
    static func setCongestionControl(_ name: CongestionControl, on channel: any Channel) async -> CongestionControl? {
        guard let options = channel as? any SocketOptionProvider else { return nil }
        do {
            let before: CongestionControl = try await options.unsafeGetSocketOption(
                level: .tcp,
                name: congestionOption
            ).get()
            try await options.unsafeSetSocketOption(level: .tcp, name: congestionOption, value: name).get()
            return before
        } catch {
            return nil
        }
    }

    /// Asks the kernel how a connection fares; nil if it does not tell.
    static func statistics(of channel: any Channel) async -> LinkStatistics? {
        guard let options = channel as? any SocketOptionProvider,
            let words: SIMD64<UInt32> = try? await options.unsafeGetSocketOption(
                level: .tcp,
                name: NIOBSDSocket.Option(rawValue: TCP_INFO)
            ).get()
        else { return nil }
        return LinkStatistics(words)
    }

    private static var congestionOption: NIOBSDSocket.Option { NIOBSDSocket.Option(rawValue: TCP_CONGESTION) }

    private static var unsentOption: ChannelOptions.Types.SocketOption {
        .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
    }
}
