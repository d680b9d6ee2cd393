internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One connection: reads requests and writes answers, one after the other.
struct WebConnection: Sendable {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, AnswerPart>

    /// A request whose content has not arrived yet.
    private struct Request {
        var head: HTTPRequestHead
        /// The content so far; nil for a request without any.
        var content: ByteBuffer?
    }

    var configuration: WebServer.Configuration
    /// The accepted values of the field `Host`.
    var hosts: Set<String>
    var site: any WebSite
    /// The places for requests with content.
    var uploads: Places
    /// The address of the client.
    var client: String
    /// The ports of both sides; nil if there are too many connections, so that this one is closed at once.
    var ports: (client: Int, server: Int)?

    /// Answers requests until one side closes.
    func run(_ channel: Channel) async throws {
        try await channel.executeThenClose { inbound, outbound in
            guard let ports else { return }
            let writer = AnswerWriter(policy: configuration.contentSecurityPolicy, outbound: outbound)
            var isOwn: Bool?
            var request: Request?
            var holdsPlace = false
            defer { if holdsPlace { uploads.give() } }
            for try await part in inbound {
                switch part {
                case .head(let head):
                    guard Self.hasContent(head) else {
                        request = Request(head: head)
                        continue
                    }
                    if let refusal = refusal(ofContentOf: head) {
                        return try await writer.write(refusal, to: head, isLast: true)
                    }
                    guard uploads.take() else {
                        let busy = WebResponse(.unavailable, "Others are sending files now. Try again in a minute.")
                        return try await writer.write(busy, to: head, isLast: true)
                    }
                    holdsPlace = true
                    request = Request(head: head, content: ByteBuffer())
                case .body(var bytes):
                    guard request?.content != nil else { return }
                    request?.content?.writeBuffer(&bytes)
                    guard (request?.content?.readableBytes ?? 0) <= configuration.maximumContentLength else { return }
                case .end:
                    guard let asked = request.take() else { return }
                    let isAllowed = isOwn
                    let (answer, owned) = try await NIOThreadPool.singleton.runIfActive {
                        let owned = isAllowed ?? isForClient(ports)
                        return (owned ? self.answer(to: asked) : Self.foreign, owned)
                    }
                    if holdsPlace { uploads.give() }
                    holdsPlace = false
                    isOwn = owned
                    let isLast = !asked.head.isKeepAlive || !owned
                    try await writer.write(answer, to: asked.head, isLast: isLast)
                    if isLast { return }
                }
            }
        }
    }

    private static let foreign = WebResponse(.forbidden, "This page is only for the user who started this server.")

    /// Returns whether the program at the other end may read the pages.
    private func isForClient(_ ports: (client: Int, server: Int)) -> Bool {
        !configuration.isForOwnUser || ConnectionOwner.isOwn(client, ports.client, ports.server)
    }

    private static func hasContent(_ head: HTTPRequestHead) -> Bool {
        if !head.headers["transfer-encoding"].isEmpty { return true }
        return head.headers["content-length"].contains { $0 != "0" }
    }

    /// Returns why the content of a request is not read; nil if it is.
    private func refusal(ofContentOf head: HTTPRequestHead) -> WebResponse? {
        guard configuration.maximumContentLength > 0 else {
            return WebResponse(.contentTooLarge, "Requests must not have content.")
        }
        guard head.headers["transfer-encoding"].isEmpty, head.headers["content-length"].count == 1,
            let length = head.headers["content-length"].first.flatMap({ Int($0) }), length > 0
        else { return WebResponse(.badRequest, "The length of the content must be known.") }
        guard length <= configuration.maximumContentLength else {
            let limit = configuration.maximumContentLength / 1_000_000
            return WebResponse(.contentTooLarge, "This file is too large; at most \(limit) MB can be sent.")
        }
        guard head.method == .POST else { return .readOnly }
        guard isForHost(head) else { return Self.misdirected }
        guard let path = WebPath(head.uri) else { return .notFound }
        return site.refusal(ofContentFor: path)
    }

    /// Returns the values of the field `Host` that name an address and a port.
    ///
    /// Browsers leave out the usual port of HTTP.
    static func hosts(_ address: String, _ port: Int) -> Set<String> {
        port == 80 ? [address, "\(address):80"] : ["\(address):\(port)"]
    }

    private func isForHost(_ head: HTTPRequestHead) -> Bool {
        let fields = head.headers["host"]
        return fields.count == 1 && fields.allSatisfy(hosts.contains)
    }

    private static let misdirected = WebResponse(.misdirected, "This server has another name.")

    /// Returns the answer to a request.
    private func answer(to request: Request) -> WebResponse {
        let head = request.head
        guard isForHost(head) else { return Self.misdirected }
        let isRead = head.method == .GET || head.method == .HEAD
        guard isRead == (request.content == nil) else { return .readOnly }
        guard let path = WebPath(head.uri) else { return .notFound }
        return site.respond(
            to: WebRequest(path, from: client, content: request.content.map { Array($0.readableBytesView) })
        )
    }
}
