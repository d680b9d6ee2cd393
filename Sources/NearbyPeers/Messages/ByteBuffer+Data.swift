import FoundationEssentials
import NIOCore

extension ByteBuffer {
    /// A copy of the readable bytes.
    ///
    /// `Data.init(_:)` of a view first asks the runtime what the view conforms to, for each message.
    var data: Data {
        withUnsafeReadableBytes { bytes in bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data() }
    }
}
