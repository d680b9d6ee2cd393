/// Decides when a connection is tried with small segments.
///
/// Some networks silently drop long packets. Then a connection opens, but no data of TLS arrives. The side that connects can
/// mend that alone: what it announces when it connects limits the segments of both sides.
enum SmallSegments {
    // IP and TCP headers with their options included, such a packet has less than 600 bytes, in IPv6 too.
    /// The length of the longest segment that every host takes (RFC 9293, section 3.7.1).
    static let length: CInt = 536
    /// The least time for which nothing comes before small segments are tried.
    static let patience: Duration = .seconds(2)

    /// Returns how long to wait for the first byte of an open connection.
    static func patience(afterOpening opening: Duration, within limit: Duration) -> Duration {
        min(max(patience, opening * 2), limit / 2)
    }
}
