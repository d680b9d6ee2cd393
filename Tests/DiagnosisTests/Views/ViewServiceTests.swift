import Glibc
import HostNetwork
import PeerCore
import PeerTestSupport
import Testing

@testable import Diagnosis

/// Questions and answers between two addresses of loopback, as two machines have them.
@Suite(.timeLimit(.minutes(5))) struct ViewServiceTests {
    private let here: IPAddress
    private let there: IPAddress

    init() throws {
        here = try #require(IPAddress("127.0.0.1"))
        there = try #require(IPAddress("127.0.0.2"))
    }

    private func machine(_ address: String) -> MachineFacts {
        MachineFacts(interfaces: [Machine.interface("lo", ["\(address)/8"])])
    }

    /// Opens a socket that listens at any free port of an address, and calls `body` with it and the port.
    private func listening(
        at address: IPAddress,
        _ body: (_ port: UInt16) async throws -> Void
    ) async throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        try #require(address.withSocketAddress(port: 0) { bind(listener, $0, $1) } == 0 && listen(listener, 8) == 0)
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        try #require(result == 0)
        try await body(UInt16(bigEndian: name.sin_port))
    }

    /// Lets a service answer while `body` runs; returns whom it has told of.
    private func serving(
        _ port: UInt16,
        _ application: PeerServiceType,
        _ body: () async throws -> Void
    ) async throws -> [String] {
        let told = Locked<[String]>([])
        let own = machine("127.0.0.1").interfaces
        let service = try #require(ViewService(port: Int(port), for: application) { own })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await service.run { address, _ in told.withLock { $0.append(address) } } }
            defer { group.cancelAll() }
            try await body()
        }
        return told.value
    }

    private func view(_ port: UInt16, _ application: PeerServiceType) async -> PeerView {
        // The service may not listen yet.
        while true {
            let views = await ViewInquiry.ask([here], port: port, for: application, on: machine("127.0.0.2"))
            if let view = views[here] { return view }
        }
    }

    @Test func aMachineIsToldWhatTheOtherSees() async throws {
        try await listening(at: here) { port in
            try await listening(at: there) { own in
                let application = try #require(PeerServiceType("views-test", defaultPort: Int(own)))
                let told = try await serving(port, application) {
                    let first = await view(port, application)
                    #expect(first.arrivals == .none)
                    #expect(first.back == .reached)
                    #expect(first.hardwareAddress == [2, 0, 0, 0, 7, 9])
                    let connection = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
                    defer { close(connection) }
                    try #require(there.withSocketAddress(port: 0) { bind(connection, $0, $1) } == 0)
                    try #require(here.withSocketAddress(port: port) { connect(connection, $0, $1) } == 0)
                    #expect(await view(port, application).arrivals == .accepted)
                }
                #expect(told == ["127.0.0.2"])
            }
        }
    }

    @Test func nothingIsSaidOfAnotherPort() async throws {
        try await listening(at: here) { port in
            let application = try #require(PeerServiceType("views-port", defaultPort: 64_453))
            let told = try await serving(port, application) {
                let other = port == 1 ? 2 : port - 1
                async let silent = ViewInquiry.ask([here], port: other, for: application, on: machine("127.0.0.2"))
                _ = await view(port, application)
                #expect(await silent.isEmpty)
            }
            #expect(told.count == 1)
        }
    }

    @Test func aServiceEndsWhenItIsCancelled() async throws {
        let application = try #require(PeerServiceType("views-end", defaultPort: 64_453))
        let service = try #require(ViewService(port: 1, for: application) { [] })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await service.run { _, _ in } }
            group.cancelAll()
        }
        #expect(ViewService(port: 1, for: try #require(PeerServiceType("views-none"))) == nil)
    }
}
