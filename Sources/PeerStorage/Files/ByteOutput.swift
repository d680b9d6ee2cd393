package import NIOCore

/// A destination of bytes that are written in order.
package protocol ByteOutput {
    /// Writes all bytes of the buffers in order.
    func write(_ buffers: [ByteBuffer], at offset: UInt64) throws(SystemError)

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError)
}

extension OpenFile: ByteOutput {}
