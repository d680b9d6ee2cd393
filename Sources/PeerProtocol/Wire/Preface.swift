/// The first eight bytes that each side sends. (Wire format, "Connection".)
///
/// They tell this protocol from any other, and plain text from TLS, whose first byte is 0x16.
public enum Preface {
    /// The bytes: `HIKESHR` and a line feed.
    public static let bytes: [UInt8] = Array("HIKESHR\n".utf8)

    /// The first byte of a TLS connection: a handshake record.
    public static let firstByteOfTLS: UInt8 = 0x16
}
