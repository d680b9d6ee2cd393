import NIOCore

/// The header of the bytes in a data frame.
package struct DataHeader: Hashable, Sendable {
    static let byteCount = 12

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Where in the resource the bytes begin.
    package var offset: UInt64
    /// The number of bytes that follow.
    package var length: Int

    package init(resource: Int, offset: UInt64, length: Int) {
        self.resource = resource
        self.offset = offset
        self.length = length
    }
}

extension DataHeader {
    func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(truncatingIfNeeded: resource), offset)
    }
}
