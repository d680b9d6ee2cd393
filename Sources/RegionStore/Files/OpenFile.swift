import Glibc
import NIOCore
import PeerCore

/// An open file, closed when nobody holds it any more.
///
/// Positions are arguments of every call, so that several threads can use one file.
final class OpenFile: Sendable {
    let descriptor: CInt

    /// Takes over an open descriptor.
    init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Opens a path.
    init(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) {
        self.descriptor = try SystemCall.retrying { open(path, flags | O_CLOEXEC, mode) }
    }

    deinit {
        close(descriptor)
    }

    func status() throws(SystemError) -> FileStatus {
        guard let status = FileStatus(of: descriptor) else { throw SystemError(number: errno) }
        return status
    }

    func size() throws(SystemError) -> UInt64 {
        try status().size
    }

    /// Returns once the file's bytes are on the disk.
    func synchronize() throws(SystemError) {
        try SystemCall.retrying { fsync(descriptor) }
    }

    /// Reads until `buffer` is full or the file ends; returns the number of bytes read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let position = off_t(clamping: offset) + off_t(done)
            let count = try SystemCall.retrying { pread(descriptor, piece.baseAddress, piece.count, position) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads at most `count` bytes from the start.
    func prefix(_ count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            do throws(SystemError) {
                length = try read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of `bytes`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let position = off_t(clamping: offset) + off_t(done)
            done += try SystemCall.retrying { pwrite(descriptor, piece.baseAddress, piece.count, position) }
        }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8], at offset: UInt64 = 0) throws(SystemError) {
        var failure: SystemError?
        bytes.withUnsafeBytes { bytes in
            do throws(SystemError) {
                try write(bytes, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes all bytes of the buffers, one behind the other, without copying them together.
    func write(_ buffers: [ByteBuffer], at offset: UInt64) throws(SystemError) {
        // The pointers stay good while the buffers live and nobody writes to them, which their array sees to.
        var vectors = buffers.compactMap { buffer in
            buffer.withUnsafeReadableBytesWithStorageManagement { bytes, _ in
                bytes.isEmpty
                    ? nil : iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            }
        }
        var position = off_t(clamping: offset)
        var next = 0
        while next < vectors.count {
            let count = min(vectors.count - next, Self.maximumVectorCount)
            var written = try vectors.withUnsafeBufferPointer { (all) throws(SystemError) in
                try SystemCall.retrying {
                    pwritev(descriptor, all.baseAddress?.advanced(by: next), CInt(count), position)
                }
            }
            position += off_t(written)
            while written > 0, next < vectors.count {
                let step = min(written, vectors[next].iov_len)
                written -= step
                vectors[next].iov_base = vectors[next].iov_base?.advanced(by: step)
                vectors[next].iov_len -= step
                if vectors[next].iov_len == 0 { next += 1 }
            }
        }
        withExtendedLifetime(buffers) {}
    }

    // Linux's `UIO_MAXIOV`.
    private static let maximumVectorCount = 1024
}
