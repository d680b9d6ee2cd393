import Glibc
import NIOCore

/// Options of TCP sockets.
enum SocketTuning {
    /// How much one read takes from a socket.
    static let readLength = 1024 * 1024

    /// How much may wait unsent in the kernel while pieces are so long, so that a cancellation never queues behind much
    /// bulk data: with two pieces that wait for the kernel, less than a second's worth.
    ///
    /// Where pieces are long, all of it is gone in a few milliseconds; less would make the link wait for us.
    private static func unsentLength(forPiecesOf length: Int) -> CInt {
        switch length {
        case ...(16 * 1024): 32 * 1024
        case ...(32 * 1024): 64 * 1024
        case ..<BulkWriter.maximumPiece: 128 * 1024
        default: 2 * 1024 * 1024
        }
    }

    static func apply(to channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readLength))
        try options.setOption(unsentOption, value: SocketOptionValue(unsentLength(forPiecesOf: 0)))
    }

    /// Says how long the pieces are that the link takes quickly.
    static func setUnsentLength(forPiecesOf pieceLength: Int, on channel: any Channel) {
        let length = unsentLength(forPiecesOf: pieceLength)
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
