import Glibc
import NIOCore

/// Options of TCP sockets.
enum SocketTuning {
    /// The number of bytes that one read takes from a socket; they stay in the cache of the processor until they are decrypted.
    static let readLength = 128 * 1024

    /// The most reads before what they brought is passed on together, from the socket of a transfer.
    ///
    /// On a fast network, fewer and longer pieces take less time of the processor.
    static let readCount: UInt = 4

    /// The number of bytes that one read takes from a socket that receives only control frames and requests, or whose
    /// network is slow.
    ///
    /// There may be many such sockets, and each keeps its buffer.
    static let shortReadLength = 16 * 1024

    /// The most bytes that one read takes from the socket of a link.
    static let linkReadLength = 64 * 1024

    /// The number of bytes that one read takes from the socket of a link over which little comes.
    ///
    /// There may be 63 links, and each keeps its buffer.
    static let idleLinkReadLength = 2 * 1024

    /// The number of unsent bytes of a link that the kernel may hold; what the link sends next never waits behind more.
    static let linkUnsentLength = 64 * 1024

    /// Sets the options of a new connection.
    static func apply(to channel: any Channel, for use: Use, isAccepted: Bool) throws {
        guard let options = channel.syncOptions else { return }
        let allocator: any RecvByteBufferAllocator =
            switch use {
            case .transfer: FixedSizeRecvByteBufferAllocator(capacity: isAccepted ? shortReadLength : readLength)
            case .link: linkAllocator
            }
        // At the level of TCP: at the level of the socket, the same number means SO_DEBUG, which only an administrator may set.
        try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
        let count = use == .transfer ? readCount : 1
        try options.setOption(.maxMessagesPerRead, value: count)
        try options.setOption(.recvAllocator, value: allocator)
        // This only affects the delay. Some sandboxes do not have the option.
        if use == .link { try? options.setOption(unsentOption, value: SocketOptionValue(linkUnsentLength)) }
    }

    /// Limits the segments of both sides; to be called before the channel connects.
    static func useSmallSegments(on channel: any Channel) throws {
        let option = ChannelOptions.Types.SocketOption.tcpOption(NIOBSDSocket.Option(rawValue: TCP_MAXSEG))
        try channel.syncOptions?.setOption(option, value: SocketOptionValue(SmallSegments.length))
    }

    /// Sets the options of a connection that was accepted for a transfer, and then carries a link.
    static func useForLink(_ channel: any Channel) {
        channel.setOption(.recvAllocator, value: linkAllocator).whenComplete { _ in }
        setUnsentLength(linkUnsentLength, on: channel)
    }

    /// Doubles the buffer when a read has filled it, and halves it when two reads have filled less than half.
    private static var linkAllocator: any RecvByteBufferAllocator {
        AdaptiveRecvByteBufferAllocator(
            minimum: idleLinkReadLength,
            initial: idleLinkReadLength,
            maximum: linkReadLength
        )
    }

    /// Sets the number of bytes that one read takes from a socket.
    static func setReadLength(_ length: Int, on channel: any Channel) {
        channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: length)).whenComplete { _ in
        }
    }

    /// Sets the number of unsent bytes that the kernel may hold.
    static func setUnsentLength(_ length: Int, on channel: any Channel) {
        // This only affects the speed. If the connection is closed by now, another call reports it.
        channel.setOption(unsentOption, value: SocketOptionValue(length)).whenComplete { _ in }
    }

    /// Sets the congestion control algorithm; returns the previous one, or nil if the system does not allow the change.
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

    /// Returns the kernel's statistics of a connection; nil if they are not available.
    static func statistics(of channel: any Channel) async -> Statistics? {
        guard let options = channel as? any SocketOptionProvider,
            let words: SIMD64<UInt32> = try? await options.unsafeGetSocketOption(
                level: .tcp,
                name: NIOBSDSocket.Option(rawValue: TCP_INFO)
            ).get()
        else { return nil }
        return Statistics(words)
    }

    private static var congestionOption: NIOBSDSocket.Option { NIOBSDSocket.Option(rawValue: TCP_CONGESTION) }

    private static var unsentOption: ChannelOptions.Types.SocketOption {
        .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
    }
}

extension SocketTuning {
    /// What a connection is for; its socket is tuned for that.
    enum Use: Sendable {
        /// Transfers, whose data is read in large pieces.
        case transfer
        /// Links, whose messages are short and must not wait.
        case link
    }
}

extension SocketTuning {
    /// The statistics of a TCP connection, as the kernel counts them.
    struct Statistics: Hashable, Sendable {
        /// The number of retransmitted packets.
        var retransmitted: UInt64
        /// The number of bytes that have arrived at the peer.
        var acknowledged: UInt64
        /// The number of bytes that the kernel has and the peer's kernel has not acknowledged, rounded up to whole packets.
        var unacknowledged: UInt64
        /// The smoothed round-trip time.
        var roundTrip: Duration
        /// The shortest round-trip time.
        var shortestRoundTrip: Duration

        /// Reads the kernel's `struct tcp_info` (linux/tcp.h), of which libc declares only the first half.
        ///
        /// Fields that an old kernel does not have are 0.
        init(_ info: SIMD64<UInt32>) {
            retransmitted = UInt64(info[25])
            acknowledged = UInt64(info[30]) | UInt64(info[31]) << 32
            unacknowledged = UInt64(info[6]) * UInt64(info[4]) + UInt64(info[36])
            roundTrip = .microseconds(Int(info[17]))
            shortestRoundTrip = .microseconds(Int(info[37]))
        }
    }
}

/// The name of a congestion control algorithm: at most 15 ASCII characters, padded with zeros.
typealias CongestionControl = SIMD16<UInt8>

extension SIMD16<UInt8> {
    /// BBR, which does not treat every loss as congestion.
    static var bbr: Self {
        var name = Self()
        for (index, byte) in "bbr".utf8.enumerated() { name[index] = byte }
        return name
    }
}
