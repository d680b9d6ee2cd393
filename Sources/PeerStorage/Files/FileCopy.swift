import Glibc
package import NIOCore

/// Copies files in the fastest way that the file system supports.
package enum FileCopy {
    /// Copies the first `size` bytes of a file into an empty file.
    ///
    /// Shares the blocks if the file system can; otherwise the kernel copies; otherwise the bytes are read and written. Calls
    /// `progress` with the number of copied bytes.
    package static func copy(
        _ source: OpenFile,
        to target: OpenFile,
        size: UInt64,
        progress: (UInt64) -> Void = { _ in }
    ) throws(SystemError) {
        var done: UInt64 = 0
        do throws(SystemError) {
            if size == 0 || clone(source, to: target) { return progress(size) }
            while done < size {
                let count = try send(source, to: target, from: done, Int(min(size - done, pieceLength)))
                if count == 0 { break }
                done += UInt64(count)
                progress(done)
            }
        } catch  where ![ENOSPC, EDQUOT, EIO].contains(error.number) {
            // Some file systems refuse; then the bytes are read and written.
        }
        try copyByHand(source, to: target, from: done, size: size, progress: progress)
    }

    /// Lets an empty file share the blocks of another file; returns false if the file system cannot do that.
    package static func clone(_ source: OpenFile, to target: OpenFile) -> Bool {
        do throws(SystemError) {
            try SystemCall.perform(.copy, target.path, target.faults) {
                ioctl(target.descriptor, cloneRequest, source.descriptor)
            }
            return true
        } catch {
            return false
        }
    }

    private static func send(
        _ source: OpenFile,
        to target: OpenFile,
        from start: UInt64,
        _ count: Int
    ) throws(SystemError) -> Int {
        try SystemCall.move(.copy, target.path, target.faults, count: count) { count in
            var from = off_t(clamping: start)
            return sendfile(target.descriptor, source.descriptor, &from, count)
        }
    }

    private static func copyByHand(
        _ source: OpenFile,
        to target: OpenFile,
        from start: UInt64,
        size: UInt64,
        progress: (UInt64) -> Void
    ) throws(SystemError) {
        guard start < size else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var done = start
        while done < size {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(size - done, UInt64(buffer.count)))])
            let count = try source.read(into: piece, at: done)
            // A file that has become shorter has changed since its size was read.
            guard count == piece.count else { throw SystemError(number: ESTALE) }
            try target.write(UnsafeRawBufferPointer(piece), at: done)
            done += UInt64(count)
            progress(done)
        }
    }

    // After each piece, the progress is reported.
    private static let pieceLength: UInt64 = 64 << 20

    /// `FICLONE`, which the importer cannot read because it is a macro with arguments: `_IOW(0x94, 9, int)`.
    private static let cloneRequest: UInt = 0x4004_9409
}

/// A destination of bytes that are written in order.
package protocol ByteOutput {
    /// Writes all bytes of the buffers in order.
    func write(_ buffers: [ByteBuffer], at offset: UInt64) throws(SystemError)

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError)
}

extension OpenFile: ByteOutput {}
