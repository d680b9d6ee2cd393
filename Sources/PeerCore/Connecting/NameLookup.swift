import Dispatch
import Glibc
import NIOCore

/// Looks up the addresses of a host.
///
/// The system's resolver blocks its thread until a name server answers. So the resolver runs on a separate thread. When the
/// task is cancelled, the lookup ends immediately, and the thread ends when the resolver returns.
struct NameLookup: Sendable {
    /// The maximum number of addresses of a name.
    static let maximumCount = 16

    /// Asks the resolver; blocks.
    var ask: @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress] = Self.askSystem

    /// The error code of the resolver.
    struct Failure: Error {
        var code: CInt
    }

    /// Returns the addresses of a host, in the system's order of preference.
    func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
        try Task.checkCancellation()
        let found = Awaited<Result<[SocketAddress], any Error>>()
        DispatchQueue(label: "PeerCore.lookup").async { [ask] in
            found.fulfil(Result { try ask(host, port) })
        }
        return try await found.value(ifCancelled: .failure(CancellationError())).get()
    }

    private static let askSystem: @Sendable (String, Int) throws -> [SocketAddress] = { host, port in
        // The C interface would stop at the zero byte.
        guard !host.utf8.contains(0) else { throw Failure(code: EAI_NONAME) }
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else { throw Failure(code: code) }
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = first
        while let info = next?.pointee {
            next = info.ai_next
            guard let address = SocketAddress(info, host), !found.contains(address) else { continue }
            found.append(address)
        }
        guard !found.isEmpty else { throw Failure(code: EAI_NONAME) }
        return Array(found.prefix(maximumCount))
    }
}

extension SocketAddress {
    fileprivate init?(_ info: addrinfo, _ host: String) {
        guard let pointer = info.ai_addr else { return nil }
        let raw = UnsafeRawPointer(pointer)
        switch info.ai_family {
        case AF_INET where Int(info.ai_addrlen) >= MemoryLayout<sockaddr_in>.size:
            self.init(raw.loadUnaligned(as: sockaddr_in.self), host: host)
        case AF_INET6 where Int(info.ai_addrlen) >= MemoryLayout<sockaddr_in6>.size:
            self.init(raw.loadUnaligned(as: sockaddr_in6.self), host: host)
        default: return nil
        }
    }
}
