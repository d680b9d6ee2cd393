import Foundation
import PeerTestSupport
import WebServer

/// A server for a test.
enum TestServer {
    typealias Handler = @Sendable (WebPath) -> WebResponse

    private struct Finished: Error {}

    static let greeting = WebResponse(Array("hello".utf8), as: WebResponse.plainText)

    /// Runs a server until `body` returns.
    static func with(
        _ change: (inout WebServer.Configuration) -> Void = { _ in },
        handler: @escaping Handler = { _ in greeting },
        _ body: @escaping @concurrent @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        try await with(change, site: HandlerSite(handler: handler), body)
    }

    private struct HandlerSite: WebSite {
        var handler: Handler

        func respond(to request: WebRequest) -> WebResponse { handler(request.path) }
    }

    /// Runs a server of a site until `body` returns.
    static func with(
        _ change: (inout WebServer.Configuration) -> Void,
        site: some WebSite,
        _ body: @escaping @concurrent @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        var configuration = WebServer.Configuration()
        // A busy machine must not be taken for a slow client.
        configuration.requestTime = .patience
        configuration.writeTime = .patience
        change(&configuration)
        do {
            try await WebServer.run(configuration, site: site) { port in
                // The clients of the tests block their thread, and the server needs those of the usual executor.
                try await withTaskExecutorPreference(OwnThreads()) { try await body(port) }
                throw Finished()
            }
        } catch is Finished {
            return
        }
    }

    /// Runs a server of a site until `body` returns.
    static func with(
        site: some WebSite,
        _ change: (inout WebServer.Configuration) -> Void = { _ in },
        _ body: @escaping @concurrent @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        try await with(change, site: site, body)
    }

    /// Sends bytes, and returns everything that comes until the server closes.
    static func exchange(_ port: Int, _ text: String) throws -> String {
        let connection = try RawConnection(toPort: port)
        connection.write(Array(text.utf8))
        return String(decoding: connection.readToEnd(), as: UTF8.self)
    }

    /// Sends a request, and returns the answer in two parts.
    static func bytes(_ port: Int, _ text: String) throws -> (head: String, content: [UInt8]) {
        let connection = try RawConnection(toPort: port)
        connection.write(Array(text.utf8))
        let all = connection.readToEnd()
        let mark = Array("\r\n\r\n".utf8)
        let end = all.indices.first { all[$0...].starts(with: mark) } ?? all.endIndex
        return (String(decoding: all[..<end] + mark, as: UTF8.self), Array(all[end...].dropFirst(mark.count)))
    }

    /// A request that asks for the connection to be closed.
    static func request(_ port: Int, _ method: String = "GET", _ target: String = "/", more: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(more)\r\n"
    }
}
