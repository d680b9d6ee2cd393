/// The statistics of a TCP connection, as the kernel counts them.
struct LinkStatistics: Hashable, Sendable {
    /// The number of retransmitted packets.
    var retransmitted: UInt64
    /// The number of bytes that have arrived at the peer.
    var acknowledged: UInt64
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
        roundTrip = .microseconds(Int(info[17]))
        shortestRoundTrip = .microseconds(Int(info[37]))
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
