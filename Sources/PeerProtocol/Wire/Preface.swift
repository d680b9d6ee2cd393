/// The first eight bytes that each side sends. (Wire format, "Connection".)
///
/// They tell an application's connections from anything else, and plain text from TLS, whose first byte is 0x16.
package struct Preface: Hashable, Sendable {
    /// The length of every preface in bytes.
    package static let byteCount = 8

    /// The first byte of a TLS connection: a handshake record.
    package static let firstByteOfTLS: UInt8 = 0x16

    /// The application's name.
    package let application: String

    /// The bytes: the first seven characters of the name in upper case, filled up with spaces, and a line feed.
    package let bytes: [UInt8]

    /// Creates the preface of an application.
    ///
    /// - Parameter application: The name of the application's service type, such as `hikeshare`.
    package init(application: String) {
        self.application = application
        let name = application.uppercased().utf8.prefix(Self.byteCount - 1)
        let spaces = Array(repeating: UInt8(ascii: " "), count: Self.byteCount - 1 - name.count)
        self.bytes = name + spaces + [UInt8(ascii: "\n")]
    }

    /// The error of a peer that sends anything else.
    package var mismatch: ProtocolError {
        ProtocolError(
            .notHikeshare,
            "The other side does not speak \(application)'s protocol. Check the address and the port."
        )
    }
}
