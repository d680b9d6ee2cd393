import Glibc
package import NIOCore

/// An open file, which is closed when the object is released.
///
/// Each call has the position as an argument, so several threads can use one file.
package final class OpenFile: Sendable {
    /// The file descriptor.
    package let descriptor: CInt
    /// The path with which the file was opened.
    package let path: String
    /// Sees the system calls on the file; nil outside of tests.
    package let faults: (any FaultInjector)?

    /// Takes ownership of an open descriptor.
    package init(owning descriptor: CInt, path: String, _ faults: (any FaultInjector)?) {
        self.descriptor = descriptor
        self.path = path
        self.faults = faults
    }

    /// Opens a path.
    package convenience init(
        _ path: String,
        _ flags: CInt,
        mode: UInt32 = 0o600,
        _ faults: (any FaultInjector)? = nil
    ) throws(SystemError) {
        let operation: FileOperation = flags & O_CREAT == 0 ? .open : .create
        let descriptor = try SystemCall.perform(operation, path, faults) { Glibc.open(path, flags | O_CLOEXEC, mode) }
        self.init(owning: descriptor, path: path, faults)
    }

    /// Opens a file of a folder.
    package convenience init(_ name: String, in folder: OpenFile, _ flags: CInt, mode: UInt32 = 0) throws(SystemError) {
        let path = folder.path + "/" + name
        let operation: FileOperation = flags & O_CREAT == 0 ? .open : .create
        let descriptor = try SystemCall.perform(operation, path, folder.faults) {
            openat(folder.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
        }
        self.init(owning: descriptor, path: path, folder.faults)
    }

    deinit { close(descriptor) }

    /// Returns the kind, the size and the times of the file.
    package func status() throws(SystemError) -> FileStatus {
        var status: FileStatus?
        try SystemCall.perform(.status, path, faults) {
            status = FileStatus(of: descriptor)
            return status == nil ? -1 : 0
        }
        guard let status else { throw SystemError(number: EIO) }
        return status
    }

    /// Returns the size of the file, in bytes.
    package func size() throws(SystemError) -> UInt64 { try status().size }

    /// Synchronises the file's bytes to the disk.
    ///
    /// If that fails, the cached bytes are dropped, because Linux reports a failed write of a page once and then treats the
    /// page as written. The next read then returns the content of the disk.
    package func synchronize() throws(SystemError) {
        do throws(SystemError) {
            try SystemCall.perform(.synchronize, path, faults) { fsync(descriptor) }
        } catch {
            // This error is ignored; the first one is thrown.
            _ = try? SystemCall.perform(.evict, path, faults) { posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }
            throw error
        }
    }

    /// Sets the size of the file.
    package func resize(to size: UInt64) throws(SystemError) {
        try SystemCall.perform(.resize, path, faults) { ftruncate(descriptor, off_t(clamping: size)) }
    }

    /// Reads until `buffer` is full or the file ends; returns the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let position = off_t(clamping: offset) + off_t(done)
            let count = try SystemCall.move(.read, path, faults, count: piece.count) { count in
                pread(descriptor, piece.baseAddress, count, position)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads at most `count` bytes from the start.
    package func prefix(_ count: Int) throws(SystemError) -> [UInt8] { try bytes(count, at: 0) }

    /// Reads `count` bytes, or fewer if the file ends before.
    package func bytes(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            do throws(SystemError) {
                length = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let position = off_t(clamping: offset) + off_t(done)
            done += try writing(piece.count) { count in pwrite(descriptor, piece.baseAddress, count, position) }
        }
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: [UInt8], at offset: UInt64 = 0) throws(SystemError) {
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

    /// Writes all bytes of the buffers in order, without copying them.
    package func write(_ buffers: [ByteBuffer], at offset: UInt64) throws(SystemError) {
        // The pointers stay valid while the buffers live and are not changed. The array ensures that.
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
            let length = vectors[next..<next + count].reduce(0) { $0 + $1.iov_len }
            var written = try vectors.withUnsafeBufferPointer { (all) throws(SystemError) in
                try writing(length) { allowed in
                    let first = all[next]
                    return allowed < length
                        ? pwrite(descriptor, first.iov_base, min(allowed, first.iov_len), position)
                        : pwritev(descriptor, all.baseAddress?.advanced(by: next), CInt(count), position)
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

    private func writing(_ count: Int, _ call: (Int) -> Int) throws(SystemError) -> Int {
        let written = try SystemCall.move(.write, path, faults, count: count, call)
        // Retrying after 0 written bytes would never end.
        guard written > 0 else { throw SystemError(number: EIO) }
        return written
    }

    // Linux's `UIO_MAXIOV`.
    private static let maximumVectorCount = 1024
}
