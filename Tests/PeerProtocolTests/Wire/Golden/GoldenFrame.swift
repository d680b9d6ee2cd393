import PeerProtocol
import Testing

/// One frame as a value and as the bytes that the wire format's page shows for it.
struct GoldenFrame: Sendable, CustomTestStringConvertible {
    let type: FrameType
    let hexdump: String
    /// The value; throwing, because manifests are checked when they are made.
    let frame: @Sendable () throws -> Frame

    var testDescription: String { "\(type)" }

    init(_ type: FrameType, _ hexdump: String, _ frame: @escaping @Sendable @autoclosure () throws -> Frame) {
        self.type = type
        self.hexdump = hexdump
        self.frame = frame
    }

    /// The data frame of the page: it is no ``Frame``.
    static let dataHeader = DataHeader(resource: 0, offset: 32_768, length: 24)
    static let data = Array(Sample.tiles.bytes[32_768..<32_792])
    static let dataHexdump = """
        24                                               # type: data
        00                                               # flags
        00 00                                            # reserved
        00 00 00 24                                      # length: 36
        00 00 00 00                                      # resource: 0
        00 00 00 00 00 00 80 00                          # offset: 32768, the first byte of chunk 2
        8a 8b 8c 8d 8e 8f 90 91 92 93 94 95 96 97 98 99  # 24 bytes of the resource
        9a 9b 9c 9d 9e 9f a0 a1
        """

    /// Every other frame.
    static let all = conversation + invitation + transfer + pieces + lanes + sessions
}
