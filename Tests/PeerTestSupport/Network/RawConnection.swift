import Foundation
import Glibc

/// A TCP connection of a test that speaks whatever it likes.
///
/// Everything blocks.
public final class RawConnection: Sendable {
    private let descriptor: Int32

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Connects to a port of this machine.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - receiveBuffer: The bytes that the kernel may keep for a client that does not read; nil for its own choice, which may be
    ///     32 MiB. The other side's kernel then keeps little, too: its buffer grows with the segments, which are short.
    /// - Throws: `ChildProcess.Failure` if nothing listens there.
    public init(toPort port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var length = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &length, socklen_t(MemoryLayout<Int32>.size))
            var segment: Int32 = 1000
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = Self.loopback(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            throw ChildProcess.Failure(description: "cannot connect to \(port): \(String(cString: strerror(errno)))")
        }
    }

    /// The port of this end.
    public var localPort: Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The longest segment that this end sends.
    public var segmentLength: Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_MAXSEG, &value, &length)
        return value
    }

    /// Reads what is there, waiting for at least one byte; empty at the end of the connection.
    public func read(atMost count: Int = 65_536) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = recv(descriptor, &bytes, count, 0)
        while received < 0, errno == EINTR { received = recv(descriptor, &bytes, count, 0) }
        return Array(bytes.prefix(max(0, received)))
    }

    /// Reads until the other side closes.
    @discardableResult
    public func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        while case let bytes = read(), !bytes.isEmpty { all += bytes }
        return all
    }

    /// Writes bytes; false if the other side does not take them.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Says that nothing more will be written.
    public func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection in both directions; who waits in ``read(atMost:)`` goes on.
    public func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
