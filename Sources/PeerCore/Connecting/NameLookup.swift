import Dispatch
import Glibc
import NIOCore
import NIOConcurrencyHelpers

/// Looks up the addresses of a host.
///
/// The system's resolver blocks its thread for as long as a name server does not answer. So it gets a thread of its own,
/// and a task that is cancelled leaves that thread behind; it ends when the resolver gives up.
struct NameLookup: Sendable {
    /// How many addresses of a name are used.
    static let maximumCount = 16

    /// What blocks.
    var ask: @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress] = Self.askSystem

    /// A host that the resolver does not know.
    struct Failure: Error {
        var code: CInt
    }

    private struct State {
        var continuation: CheckedContinuation<[SocketAddress], any Error>?
        var isOver = false
    }

    private final class Waiting: Sendable {
        private let state = NIOLockedValueBox(State())

        /// Waits with a continuation; false if waiting is over already.
        func wait(_ continuation: CheckedContinuation<[SocketAddress], any Error>) -> Bool {
            state.withLockedValue { state in
                guard !state.isOver else { return false }
                state.continuation = continuation
                return true
            }
        }

        func end(_ result: Result<[SocketAddress], any Error>) {
            let continuation = state.withLockedValue { state in
                state.isOver = true
                return state.continuation.take()
            }
            continuation?.resume(with: result)
        }
    }

    /// Returns the addresses of a host, in the system's order of preference.
    ///
    /// - Throws: `CancellationError` at once if the task is cancelled; what the resolver throws.
    func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
        let waiting = Waiting()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard waiting.wait(continuation) else { return continuation.resume(throwing: CancellationError()) }
                DispatchQueue(label: "PeerCore.lookup").async { [ask] in
                    waiting.end(Result { try ask(host, port) })
                }
            }
        } onCancel: {
            waiting.end(.failure(CancellationError()))
        }
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
        default:
            return nil
        }
    }
}
