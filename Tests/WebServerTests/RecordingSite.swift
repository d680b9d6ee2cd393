import PeerStorage
import PeerTestSupport
import WebServer

/// A site that takes content as it comes, and notes what happens.
final class RecordingSite: WebSite {
    /// What happens to the content of one request.
    final class Content: WebContent {
        private let site: RecordingSite

        init(_ site: RecordingSite) {
            self.site = site
            site.noted.withLock { $0.begun += 1 }
        }

        deinit { site.noted.withLock { $0.released += 1 } }

        func write(_ bytes: UnsafeRawBufferPointer) throws {
            try site.write(bytes)
            site.noted.withLock { $0.length += bytes.count }
        }
    }

    /// What happened so far.
    struct Noted: Sendable {
        /// The requests that were answered.
        var requests: [WebRequest] = []
        /// The length of all content, in bytes.
        var length = 0
        /// The number of contents that have begun.
        var begun = 0
        /// The number of contents that were released.
        var released = 0
    }

    let noted = Locked(Noted())
    let takesQueries = true
    private let limits: WebContentLimits
    private let write: @Sendable (UnsafeRawBufferPointer) throws -> Void
    private let answering: @Sendable (WebRequest) async -> WebResponse

    init(
        _ limits: WebContentLimits = WebContentLimits(length: 1 << 40),
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void = { _ in },
        answer: @escaping @Sendable (WebRequest) async -> WebResponse = { _ in TestServer.greeting }
    ) {
        (self.limits, self.write, answering) = (limits, write, answer)
    }

    func respond(to request: WebRequest) -> WebResponse { TestServer.greeting }

    func answer(to request: WebRequest) async -> WebResponse {
        noted.withLock { $0.requests.append(request) }
        return await answering(request)
    }

    func refusal(ofContentFor request: WebRequest) -> WebResponse? { nil }

    /// The path `/file` has the limits of the server, and its content becomes a file.
    func limits(ofContentFor request: WebRequest) -> WebContentLimits? {
        var limits = limits
        if request.path.components == ["short"] { (limits.isUpload, limits.length) = (false, 1000) }
        return request.path.components == ["file"] ? nil : limits
    }

    func content(for request: WebRequest) throws -> (any WebContent)? {
        if request.path.components == ["no"] { throw WebRefusal(WebResponse(.conflict, "Not now.")) }
        return request.path.components == ["file"] ? nil : Content(self)
    }

    func contentFile() throws -> OpenFile { try Folder("/tmp").temporaryFile() }

    /// Waits until so many contents have begun.
    func waitForContents(_ count: Int) async {
        while noted.value.begun < count { await Task.yield() }
    }

    /// Waits until so many contents were released.
    func waitForReleases(_ count: Int) async {
        while noted.value.released < count { await Task.yield() }
    }
}
