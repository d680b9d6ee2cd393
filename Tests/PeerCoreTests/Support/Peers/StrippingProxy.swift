import Foundation
import NIOCore
import PeerCore
import PeerTestSupport

/// Somebody on the way who answers TLS as a peer would that does not encrypt, and passes plain text on.
enum StrippingProxy {
    /// Stands in front of a listener on loopback for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - address: The listener.
    ///   - claimsNone: Whether plain hellos are altered so that both sides seem to want no encryption.
    ///   - body: Called with the proxy's address.
    /// - Throws: What `body` throws.
    static func with(
        to address: SocketAddress,
        claimsNone: Bool,
        _ body: (SocketAddress) async throws -> Void
    ) async throws {
        guard let port = address.port else { throw ScriptError("no port") }
        try await RawServer.with { connection in
            let first = connection.read()
            guard first.first != Preface.firstByteOfTLS else {
                connection.write(Preface.hikeshare.bytes)
                connection.readToEnd()
                return
            }
            guard let upstream = try? RawConnection(toPort: port) else { return }
            let back = Thread {
                while case let bytes = upstream.read(), !bytes.isEmpty {
                    connection.write(claimsNone ? altered(bytes) : bytes)
                }
                connection.end()
            }
            back.start()
            upstream.write(claimsNone ? altered(first) : first)
            while case let bytes = connection.read(), !bytes.isEmpty {
                upstream.write(claimsNone ? altered(bytes) : bytes)
            }
            upstream.end()
        } _: { server in
            try await body(SocketAddress(ipAddress: "127.0.0.1", port: server.port))
        }
    }

    /// Replaces the preference; blanks keep the length, and JSON does not mind them.
    private static func altered(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let from = Array("\"encryption\":\"optional\"".utf8)
        let to = Array("\"encryption\":\"none\"    ".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: from) }) else { return bytes }
        bytes.replaceSubrange(start..<start + from.count, with: to)
        return bytes
    }
}
