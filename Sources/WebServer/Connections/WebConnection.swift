internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PeerStorage

/// One connection: reads requests and writes answers, one after the other.
struct WebConnection: Sendable {
    typealias Channel = NIOAsyncChannel<HTTPServerRequestPart, AnswerWriter.Step>

    /// A request whose content has not arrived yet.
    private struct Request {
        var head: HTTPRequestHead
        /// What receives the content; nil for a request without content.
        var content: ArrivingContent?
    }

    /// What happens to the content of a request.
    private enum Beginning: Sendable {
        case refused(WebResponse)
        /// It is taken, and has a slot if it counts among the requests with content.
        case taken(ArrivingContent, slot: Int?)
    }

    var configuration: WebServer.Configuration
    /// The accepted values of the field `Host`.
    var hosts: Set<String>
    var site: any WebSite
    /// The slots for requests with content.
    var uploads: Slots
    /// The bytes of large answers that may be in memory.
    var memory: Budget
    /// The client.
    var client: ConnectedClient
    /// The address of the client.
    var address: String
    /// The ports of both sides.
    var ports: (client: Int, server: Int)

    /// Answers requests until one side closes.
    func run(_ channel: Channel) async throws {
        try await channel.executeThenClose { inbound, outbound in
            let writer = AnswerWriter(configuration: configuration, memory: memory, outbound: outbound)
            var isOwn: Bool?
            var request: Request?
            var slot: Int?
            var isOver = false
            defer { if let slot { uploads.give(slot) } }
            for try await part in inbound where !isOver {
                switch part {
                case .head(let head):
                    guard Self.hasContent(head) else {
                        request = Request(head: head)
                        continue
                    }
                    // Another user must not hold a slot for content.
                    let mayAsk = try await isForClient(known: isOwn)
                    isOwn = mayAsk
                    let beginning = try await NIOThreadPool.singleton.runIfActive {
                        mayAsk ? begin(head) : .refused(Self.foreign)
                    }
                    switch beginning {
                    case .taken(let content, let taken):
                        slot = taken
                        request = Request(head: head, content: content)
                        if let time = content.stallTime { try await outbound.write(.takes(stallTime: time)) }
                    case .refused(let refusal):
                        try await writer.write(refusal, to: head, isLast: true)
                        isOver = true
                    }
                case .body(let bytes):
                    guard request?.content != nil else { return }
                    do {
                        try await request?.content?.add(bytes)
                    } catch let refusal as WebRefusal {
                        guard let head = request.take()?.head else { return }
                        if let slot { uploads.give(slot) }
                        slot = nil
                        try await writer.write(refusal.answer, to: head, isLast: true)
                        isOver = true
                    }
                case .end:
                    guard var asked = request.take() else { return }
                    let mayAsk = try await isForClient(known: isOwn)
                    isOwn = mayAsk
                    var answer = Self.foreign
                    do {
                        try await asked.content?.finish()
                        if mayAsk { answer = await self.answer(to: asked) }
                    } catch let refusal as WebRefusal {
                        answer = refusal.answer
                    }
                    if let slot { uploads.give(slot) }
                    slot = nil
                    isOver = !asked.head.isKeepAlive || !mayAsk
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
    private static let busy = WebResponse(.unavailable, "Others are sending files now. Try again in a minute.")
    private static let misdirected = WebResponse(.misdirected, "This server has another name.")

    /// Returns whether the program at the other end may read the pages, if that is not known yet.
    private func isForClient(known: Bool?) async throws -> Bool {
        if let known { return known }
        guard configuration.isForOwnUser else { return true }
        return try await NIOThreadPool.singleton.runIfActive {
            ConnectionOwner.isOwn(address, ports.client, ports.server)
        }
    }

    /// Returns whether a request has content, which may be empty: a client need not announce that of `POST` (RFC 9112, section 6.3).
    private static func hasContent(_ head: HTTPRequestHead) -> Bool {
        !head.headers["transfer-encoding"].isEmpty || head.method == .POST
            || head.headers["content-length"].contains { $0 != "0" }
    }

    /// Decides what happens to the content of a request, before it is read; called on a thread that may block.
    private func begin(_ head: HTTPRequestHead) -> Beginning {
        let request = isForHost(head) && head.method == .POST ? request(head, length: Self.length(head) ?? 0) : nil
        let limits = request.flatMap { site.limits(ofContentFor: $0) }
        if let refusal = refusal(ofContentOf: head, request, limits) { return .refused(refusal) }
        guard let request else { return .refused(.notFound) }
        var slot: Int?
        if limits?.isUpload ?? true {
            slot = uploads.take(for: address, isBusy: true)
            guard slot != nil else { return .refused(Self.busy) }
        }
        do {
            let taker = try site.content(for: request)
            let destination = try taker.map { .site($0) } ?? ArrivingContent.Destination.file(site.contentFile())
            let limit = limits?.length ?? UInt64(clamping: configuration.maximumContentLength)
            return .taken(ArrivingContent(destination, limit: limit, stallTime: limits?.stallTime), slot: slot)
        } catch {
            if let slot { uploads.give(slot) }
            return .refused((error as? WebRefusal)?.answer ?? Self.busy)
        }
    }

    /// Returns the length that a client announces, 0 if it announces nothing; nil if it is not a valid one.
    private static func length(_ head: HTTPRequestHead) -> Int? {
        let lengths = head.headers["content-length"]
        guard head.headers["transfer-encoding"].isEmpty, lengths.count <= 1 else { return nil }
        return Int(lengths.first ?? "0").flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns whether a client sends content whose length it does not announce.
    private static func isChunked(_ head: HTTPRequestHead) -> Bool {
        head.headers["transfer-encoding"].map { $0.lowercased() } == ["chunked"]
            && head.headers["content-length"].isEmpty
    }

    /// Returns the refusal of a request's content; nil if the content is read.
    private func refusal(
        ofContentOf head: HTTPRequestHead,
        _ request: WebRequest?,
        _ limits: WebContentLimits?
    ) -> WebResponse? {
        guard limits != nil || configuration.maximumContentLength > 0 else {
            return head.method == .POST && Self.length(head) == 0
                ? .readOnly : WebResponse(.contentTooLarge, "Requests must not have content.")
        }
        if limits?.allowsUnknownLength != true || !Self.isChunked(head) {
            guard let length = Self.length(head) else {
                return WebResponse(.badRequest, "The length of the content must be known.")
            }
            let limit = limits?.length ?? UInt64(clamping: configuration.maximumContentLength)
            guard UInt64(clamping: length) <= limit else { return .tooLong }
        }
        guard head.method == .POST else { return .readOnly }
        guard isForHost(head) else { return Self.misdirected }
        guard let request else { return .notFound }
        return site.refusal(ofContentFor: request)
    }

    /// Describes a request; nil if its target is not valid.
    private func request(_ head: HTTPRequestHead, length: Int, content: ArrivingContent? = nil) -> WebRequest? {
        let (target, query) = site.takesQueries ? WebQuery.divide(head.uri) : (head.uri, nil)
        guard let path = WebPath(target), let values = query.map(WebQuery.read) ?? [:] else { return nil }
        let takesGzip = Gzip.isAccepted(head.headers["accept-encoding"])
        var request = WebRequest(path, from: address, takesGzip: takesGzip, contentLength: length)
        (request.query, request.certificate) = (values, client.certificate)
        request.language = WebLanguage.of(head.headers)
        switch content?.destination {
        case .file(let file): request.content = file
        case .site(let taker): request.taken = taker
        case nil: request.hasUnknownLength = Self.isChunked(head)
        }
        let types = head.headers["content-type"]
        request.contentType = types.count == 1 ? types[0].lowercased() : nil
        let scheme = configuration.security == nil ? "http" : "https"
        request.isFromOwnPage = Self.isFromOwnPage(head.headers, scheme)
        // Programs that are no browsers send neither field.
        let isFromPage = ["origin", "sec-fetch-site"].contains { head.headers.contains(name: $0) }
        request.isFromOtherPage = isFromPage && !request.isFromOwnPage
        return request
    }

    /// Returns whether a browser says that a page of this server sends a request with content.
    ///
    /// All browsers send `Origin` with such a request of a script, and newer ones `Sec-Fetch-Site`, too. Scripts cannot set
    /// these fields.
    static func isFromOwnPage(_ headers: HTTPHeaders, _ scheme: String = "http") -> Bool {
        let (hosts, origins, sites) = (headers["host"], headers["origin"], headers["sec-fetch-site"])
        guard hosts.count == 1, origins == ["\(scheme)://" + hosts[0]] else { return false }
        return sites.isEmpty || sites == ["same-origin"]
    }

    /// Returns the values of the field `Host` that name an address and a port; browsers leave out the usual port of HTTP.
    static func hosts(_ address: String, _ port: Int) -> Set<String> {
        // A program with one socket for both protocols names an IPv4 address as an IPv6 one.
        let names = address.contains(":") ? ["[\(address)]"] : [address, "[::ffff:\(address)]"]
        return Set(names.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
    }

    private func isForHost(_ head: HTTPRequestHead) -> Bool {
        let fields = head.headers["host"]
        return fields.count == 1 && fields.allSatisfy(hosts.contains)
    }

    /// Returns the answer to a request.
    private func answer(to request: Request) async -> WebResponse {
        let head = request.head
        guard isForHost(head) else { return Self.misdirected }
        let isRead = head.method == .GET || head.method == .HEAD
        guard isRead == (request.content == nil) else { return .readOnly }
        let length = Int(clamping: request.content?.length ?? 0)
        guard let asked = self.request(head, length: length, content: request.content) else { return .notFound }
        return await client.whilePresent { await site.answer(to: asked) } ?? .failed
    }
}
