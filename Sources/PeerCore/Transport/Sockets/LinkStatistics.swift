/// How a TCP connection fares, in the kernel's own count.
struct LinkStatistics: Hashable, Sendable {
    /// The packets that were sent again.
    var retransmitted: UInt64
    /// The bytes that have arrived at the peer.
    var acknowledged: UInt64
    /// How long a packet and its answer take, smoothed.
    var roundTrip: Duration
    /// How long they took at best.
    var shortestRoundTrip: Duration

    /// Reads the kernel's `struct tcp_info` (linux/tcp.h), of which libc declares only the first half; what an old kernel
    /// does not fill in is 0.
    init(_ info: SIMD64<UInt32>) {
        retransmitted = UInt64(info[25])
        acknowledged = UInt64(info[30]) | UInt64(info[31]) << 32
        roundTrip = .microseconds(Int(info[17]))
        shortestRoundTrip = .microseconds(Int(info[37]))
    }
}

/// A way to answer losses, as the kernel names it: at most 15 characters of ASCII and zeros behind them.
typealias CongestionControl = SIMD16<UInt8>

extension SIMD16<UInt8> {
    /// The way that does not take every loss for a full link (BBR).
    static var bbr: Self {
        var name = Self()
        for (index, byte) in "bbr".utf8.enumerated() { name[index] = byte }
        return name
    }
}
