import NIOCore

extension FrameHandler {
    /// The number of bytes that are copied into one buffer; it is a power of two, like the capacity of buffers.
    private static let copyLength = 512 * 1024

    func readAll(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isFinished else { return }
        guard opening.isEncrypted else { return read(bytes, context) }
        var bytes = bytes
        // TLS reuses one buffer for decryption, and copies the whole buffer if a slice of it is still in use.
        while !isFinished, bytes.readableBytes > 0 {
            if unread.count == 0, !isHeldBack, decoder.findsData(in: bytes) {
                copyData(from: &bytes, context)
                continue
            }
            guard let piece = bytes.readSlice(length: min(bytes.readableBytes, nextLength(in: bytes))) else { return }
            read(context.channel.allocator.buffer(buffer: piece), context)
        }
    }

    /// How many bytes to copy into one buffer.
    private func nextLength(in bytes: ByteBuffer) -> Int {
        // A link can then keep the payload without another copy.
        if let length = decoder.lengthOfLongFrame(in: bytes, behind: unread.count), length > 0 { return length }
        // The beginning of a frame that was cut is completed first: it may be one of data.
        let begun = FrameDecoder.dataHeaderLength - unread.count
        return unread.count > 0 && begun > 0 ? begun : Self.copyLength
    }

    /// Takes the header of a data frame, or bytes of one, from the buffer of TLS.
    private func copyData(from bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
        do {
            let before = bytes.readableBytes
            switch try decoder.next(from: &bytes) {
            case .data(var data):
                handOverGathered(context)
                while data.readableBytes > 0 {
                    batch.appendCopy(of: &data, context.channel.allocator)
                    if batch.isFull { flushBatch(context) }
                }
            case let output?: pass(output, context)
            case nil: break
            }
            unfinished.received(before - bytes.readableBytes, isUnfinished: false, isNew: true, at: .now)
            isHeldBack = hasPassedEnough && bytes.readableBytes > 0
        } catch {
            flushBatch(context)
            fail(error, context)
        }
    }
}
