internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PeerStorage

/// One connection: reads requests and writes answers, one after the other.
struct WebConnection: Sendable {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, AnswerPiece>

    /// A request whose content has not arrived yet.
    private struct Request {
        var head: HTTPRequestHead
        /// The file that receives the content; nil for a request without content.
        var content: OpenFile?
        /// The length of the content so far.
        var length = 0
    }

    var configuration: WebServer.Configuration
    /// The accepted values of the field `Host`.
    var hosts: Set<String>
    var site: any WebSite
    /// The places for requests with content.
    var uploads: Places
    /// The bytes of large answers that may be in memory.
    var memory: Budget
    /// The address of the client.
    var client: String
    /// The ports of both sides.
    var ports: (client: Int, server: Int)

    /// Answers requests until one side closes.
    func run(_ channel: Channel) async throws {
        try await channel.executeThenClose { inbound, outbound in
            let writer = AnswerWriter(configuration: configuration, memory: memory, outbound: outbound)
            var isOwn: Bool?
            var request: Request?
            var place: Int?
            var isOver = false
            defer { if let place { uploads.give(place) } }
            for try await part in inbound where !isOver {
                switch part {
                case .head(let head):
                    guard Self.hasContent(head) else {
                        request = Request(head: head)
                        continue
                    }
                    // Another user must not hold a place for content.
                    if isOwn == nil { isOwn = try await NIOThreadPool.singleton.runIfActive { isForClient(ports) } }
                    if let refusal = isOwn == true ? refusal(ofContentOf: head) : Self.foreign {
                        try await writer.write(refusal, to: head, isLast: true)
                        isOver = true
                        continue
                    }
                    place = uploads.take(for: client, isBusy: true)
                    guard place != nil, let file = try? site.contentFile() else {
                        let busy = WebResponse(.unavailable, "Others are sending files now. Try again in a minute.")
                        try await writer.write(busy, to: head, isLast: true)
                        isOver = true
                        continue
                    }
                    request = Request(head: head, content: file)
                case .body(let bytes):
                    guard let length = request?.length, let file = request?.content else { return }
                    // The decoder ends the content at the announced length. This bounds the file whatever it delivers.
                    guard length + bytes.readableBytes <= configuration.maximumContentLength else { return }
                    try await NIOThreadPool.singleton.runIfActive {
                        try bytes.withUnsafeReadableBytes { bytes throws(SystemError) in
                            try file.write(bytes, at: UInt64(length))
                        }
                    }
                    request?.length += bytes.readableBytes
                case .end:
                    guard let asked = request.take() else { return }
                    let isAllowed = isOwn
                    let (answer, owned) = try await NIOThreadPool.singleton.runIfActive {
                        let owned = isAllowed ?? isForClient(ports)
                        return (owned ? self.answer(to: asked) : Self.foreign, owned)
                    }
                    if let place { uploads.give(place) }
                    place = nil
                    isOwn = owned
                    isOver = !asked.head.isKeepAlive || !owned
                    try await writer.write(answer, to: asked.head, isLast: isOver)
                }
            }
            // The client has closed its sending side only, and may still read the last answer.
            if !isOver { try await outbound.write(.close) }
            await Self.waitForEnd(of: channel.channel)
        }
    }

    /// Waits until a connection is closed, because leaving the scope of the channel would cut off its last answer.
    private static func waitForEnd(of channel: any NIOCore.Channel) async {
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private static let foreign = WebResponse(.forbidden, "This page is only for the user who started this server.")

    /// Returns whether the program at the other end may read the pages.
    private func isForClient(_ ports: (client: Int, server: Int)) -> Bool {
        !configuration.isForOwnUser || ConnectionOwner.isOwn(client, ports.client, ports.server)
    }

    /// Returns whether a request has content, which may be empty.
    private static func hasContent(_ head: HTTPRequestHead) -> Bool {
        if !head.headers["transfer-encoding"].isEmpty { return true }
        let lengths = head.headers["content-length"]
        return lengths.contains { $0 != "0" } || head.method == .POST && !lengths.isEmpty
    }

    /// Returns the refusal of a request's content; nil if the content is read.
    private func refusal(ofContentOf head: HTTPRequestHead) -> WebResponse? {
        guard configuration.maximumContentLength > 0 else {
            return head.method == .POST && head.headers["content-length"] == ["0"]
                ? .readOnly : WebResponse(.contentTooLarge, "Requests must not have content.")
        }
        guard head.headers["transfer-encoding"].isEmpty, head.headers["content-length"].count == 1,
            let length = head.headers["content-length"].first.flatMap({ Int($0) }), length >= 0
        else { return WebResponse(.badRequest, "The length of the content must be known.") }
        guard length <= configuration.maximumContentLength else {
            return WebResponse(.contentTooLarge, "The content is too long.")
        }
        guard head.method == .POST else { return .readOnly }
        guard isForHost(head) else { return Self.misdirected }
        guard let path = WebPath(head.uri) else { return .notFound }
        return site.refusal(ofContentFor: request(for: path, head, length: length))
    }

    /// Describes a request.
    private func request(
        for path: WebPath,
        _ head: HTTPRequestHead,
        length: Int,
        content: OpenFile? = nil
    ) -> WebRequest {
        let takesGzip = Gzip.isAccepted(head.headers["accept-encoding"])
        var request = WebRequest(path, from: client, takesGzip: takesGzip, contentLength: length, content: content)
        let types = head.headers["content-type"]
        request.contentType = types.count == 1 ? types[0].lowercased() : nil
        request.isFromOwnPage = Self.isFromOwnPage(head.headers)
        // Programs that are no browsers send neither field.
        let isFromPage = ["origin", "sec-fetch-site"].contains { head.headers.contains(name: $0) }
        request.isFromOtherPage = isFromPage && !request.isFromOwnPage
        return request
    }

    /// Returns whether a browser says that a page of this server sends a request with content.
    ///
    /// All browsers send `Origin` with such a request of a script, and newer ones `Sec-Fetch-Site`, too. Scripts cannot set
    /// these fields.
    static func isFromOwnPage(_ headers: HTTPHeaders) -> Bool {
        let (hosts, origins, sites) = (headers["host"], headers["origin"], headers["sec-fetch-site"])
        guard hosts.count == 1, origins == ["http://" + hosts[0]] else { return false }
        return sites.isEmpty || sites == ["same-origin"]
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
        return site.respond(to: self.request(for: path, head, length: request.length, content: request.content))
    }
}
