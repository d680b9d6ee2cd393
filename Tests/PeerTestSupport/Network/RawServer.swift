import Foundation
import Glibc

/// A server on loopback, or at a path, that does with each connection whatever a test wants.
public final class RawServer: Sendable {
    /// The TCP port that it listens on; 0 if it listens at a path.
    public let port: Int

    private let descriptor: Int32
    private let connections = Locked<[RawConnection]>([])

    private init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = RawConnection.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard result else {
            throw ChildProcess.Failure(description: "cannot listen: \(String(cString: strerror(errno)))")
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Listens at a path of at most 107 bytes.
    private init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        port = 0
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let descriptor = self.descriptor
        let room = MemoryLayout.size(ofValue: address.sun_path)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            withUnsafeMutableBytes(of: &pointer.pointee.sun_path) { $0.copyBytes(from: path.utf8.prefix(room - 1)) }
            return pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    && listen(descriptor, 16) == 0
            }
        }
        guard result, path.utf8.count < room else {
            throw ChildProcess.Failure(description: "cannot listen at \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Serves each connection by a call of `serve` on a thread of its own, as long as `body` runs.
    ///
    /// A connection ends when `serve` returns, and at the latest with `body`. With a path, the server listens there and not on a
    /// port.
    public static func with<Result>(
        path: String? = nil,
        serve: @escaping @Sendable (RawConnection) -> Void,
        _ body: (RawServer) async throws -> Result
    ) async throws -> Result {
        let server = try path.map(RawServer.init(path:)) ?? RawServer()
        Thread.detachNewThread { server.acceptAll(serve) }
        defer { server.end() }
        return try await body(server)
    }

    /// Returns a port that nobody listens on.
    public static func unusedPort() throws -> Int {
        try RawServer().port
    }

    private func acceptAll(_ serve: @escaping @Sendable (RawConnection) -> Void) {
        while true {
            let accepted = accept(descriptor, nil, nil)
            if accepted < 0, errno == EINTR { continue }
            guard accepted >= 0 else { return }
            let connection = RawConnection(owning: accepted)
            connections.withLock { $0.append(connection) }
            Thread.detachNewThread {
                serve(connection)
                connection.end()
            }
        }
    }

    private func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        for connection in connections.withLock({ $0 }) { connection.end() }
    }
}
