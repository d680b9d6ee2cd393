import Foundation

/// Somebody on the way who passes everything on and counts the bytes, in both directions together.
public enum CountingRelay {
    /// Stands in front of a listener on loopback for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - port: The listener's port.
    ///   - body: Called with the relay's port, and a way to ask how many bytes have passed.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public static func with<Result>(
        toPort port: Int,
        _ body: (_ port: Int, _ count: @escaping @Sendable () -> Int) async throws -> Result
    ) async throws -> Result {
        let passed = Locked(0)
        let pass: @Sendable (RawConnection, RawConnection) -> Void = { from, to in
            while case let bytes = from.read(), !bytes.isEmpty {
                passed.withLock { $0 += bytes.count }
                guard to.write(bytes) else { break }
            }
        }
        return try await RawServer.with { connection in
            guard let upstream = try? RawConnection(toPort: port) else { return }
            Thread.detachNewThread {
                pass(upstream, connection)
                connection.end()
            }
            pass(connection, upstream)
            upstream.end()
        } _: { server in
            try await body(server.port) { passed.value }
        }
    }
}
