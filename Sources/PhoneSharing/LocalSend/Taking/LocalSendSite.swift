package import LocalSend
package import PeerStorage
import RegionStore
import Synchronization
package import WebServer

/// The requests of LocalSend, as phones send them to this machine.
package struct LocalSendSite: WebSite {
    /// Takes what a device says of itself, and returns what this machine says of itself; nil if that is not understood.
    package typealias Registration =
        @Sendable (_ body: [UInt8], _ address: String, _ certificate: [UInt8]?) -> [UInt8]?

    /// How long a phone may send nothing of a file.
    private static let stallTime: Duration = .seconds(60)

    private let taker: LocalSendTaker
    private let registered: Registration
    private let own: @Sendable () -> LocalSendDevice
    /// A device has stopped a session that is not one of this side.
    private let cancelled: @Sendable (_ session: String, LocalSendClient) -> Void

    /// Creates the site.
    ///
    /// - Parameters:
    ///   - registered: Takes what a device says of itself.
    ///   - own: Returns what this machine says of itself.
    ///   - cancelled: Called when a device has stopped a session that is not one of this side.
    package init(
        _ taker: LocalSendTaker,
        registered: @escaping Registration,
        own: @escaping @Sendable () -> LocalSendDevice,
        cancelled: @escaping @Sendable (_ session: String, LocalSendClient) -> Void = { _, _ in }
    ) {
        (self.taker, self.registered) = (taker, registered)
        (self.own, self.cancelled) = (own, cancelled)
    }

    /// Creates the site of a machine that is found by a finder.
    package init(
        _ taker: LocalSendTaker,
        _ finder: LocalSendFinder,
        cancelled: @escaping @Sendable (_ session: String, LocalSendClient) -> Void = { _, _ in }
    ) {
        self.init(
            taker,
            registered: { finder.registered($0, from: $1, certificate: $2) },
            own: { finder.own },
            cancelled: cancelled
        )
    }

    /// Sets the limits that the site needs.
    package static func limit(_ configuration: inout WebServer.Configuration) {
        configuration.isForOwnUser = false
        // A phone sends two files at once, and looks for devices meanwhile.
        (configuration.maximumConnections, configuration.maximumConnectionsPerClient) = (128, 16)
        (configuration.maximumUploads, configuration.maximumUploadsPerClient) = (32, 8)
    }

    package var takesQueries: Bool { true }

    package func refusal(ofContentFor request: WebRequest) -> WebResponse? {
        // No page of a browser is a device.
        guard !request.isFromOtherPage, !request.isFromOwnPage else { return WebResponse(.refused) }
        switch Self.path(of: request) {
        case .failure(let answer): return answer.answer
        case .success(.info): return .readOnly
        case .success(.prepareUpload): return taker.refusal(of: request.localSendClient).map { WebResponse($0) }
        case .success(.register), .success(.upload), .success(.cancel): return nil
        }
    }

    package func limits(ofContentFor request: WebRequest) -> WebContentLimits? {
        guard case .success(let path) = Self.path(of: request) else { return nil }
        switch path {
        case .register: return Self.short(LocalSendLimits.registrationLength)
        case .prepareUpload: return Self.short(LocalSendLimits.offerLength)
        case .upload(let session, let file, _):
            let size = taker.expectedSize(session, file) ?? LocalSendLimits.fileSize
            return WebContentLimits(length: size, allowsUnknownLength: true, stallTime: Self.stallTime)
        case .cancel, .info: return Self.short(0)
        }
    }

    private static func short(_ length: Int) -> WebContentLimits {
        WebContentLimits(length: UInt64(clamping: length), allowsUnknownLength: true, isUpload: false)
    }

    package func content(for request: WebRequest) throws -> (any WebContent)? {
        switch try Self.path(of: request).get() {
        case .upload(let session, let file, let token):
            let length = request.hasUnknownLength ? nil : UInt64(clamping: request.contentLength)
            return try taker.begin(session, file, token, from: request.localSendClient, length: length)
        // Each is small. A list is larger, and many together would fill the memory.
        case .register, .cancel: return LocalSendRequestBody()
        case .prepareUpload, .info: return nil
        }
    }

    package func contentFile() throws -> OpenFile { try taker.folder().temporaryFile() }

    /// Not called: ``answer(to:)`` answers all requests.
    package func respond(to request: WebRequest) -> WebResponse { .notFound }

    package func answer(to request: WebRequest) async -> WebResponse {
        let path: LocalSendPath
        switch Self.path(of: request) {
        case .success(let valid): path = valid
        case .failure(let refusal): return refusal.answer
        }
        switch path {
        case .info: return WebResponse(own().json(), as: WebResponse.json)
        case .register:
            guard let body = (request.taken as? LocalSendRequestBody)?.bytes,
                let answer = registered(body, request.client, request.certificate)
            else { return WebResponse(.invalid) }
            return WebResponse(answer, as: WebResponse.json)
        case .prepareUpload:
            return await prepare(request)
        case .upload: return (request.taken as? LocalSendUpload)?.finish() ?? WebResponse(.invalid)
        case .cancel(let session):
            // An image of a page can read any path (`GET`).
            guard request.taken != nil else { return .readOnly }
            let client = request.localSendClient
            if !taker.cancel(session, from: client), let session { cancelled(session, client) }
            return WebResponse(.ok)
        }
    }

    /// Answers a list of files.
    private func prepare(_ request: WebRequest) async -> WebResponse {
        // Its place may be taken since it began to come.
        if let refusal = taker.refusal(of: request.localSendClient) { return WebResponse(refusal) }
        do {
            guard let list = request.content else { return WebResponse(.invalid) }
            let offer = try taker.reading {
                try LocalSendOffer(json: try list.prefix(LocalSendLimits.offerLength))
            }
            guard let offer else { return WebResponse(.busy) }
            return await taker.prepare(offer, from: request.localSendClient)
        } catch {
            return WebResponse(.invalid)
        }
    }

    /// Returns the request that a path stands for, or the answer to what is none.
    private static func path(of request: WebRequest) -> Result<LocalSendPath, WebRefusal> {
        do {
            let text = "/" + request.path.components.joined(separator: "/")
            guard !request.path.endsWithSlash, let path = try LocalSendPath(text, query: request.query) else {
                return .failure(WebRefusal(.notFound))
            }
            return .success(path)
        } catch {
            return .failure(WebRefusal(WebResponse(.invalid)))
        }
    }
}

extension WebRequest {
    /// Who sends the request.
    var localSendClient: LocalSendClient {
        LocalSendClient(client, certificate: certificate.map { LocalSendFingerprint(certificate: $0) })
    }
}

/// The content of a short request.
private final class LocalSendRequestBody: WebContent {
    private let content = Mutex<[UInt8]>([])

    var bytes: [UInt8] { content.withLock { $0 } }

    // The server ends a longer one.
    func write(_ bytes: UnsafeRawBufferPointer) { content.withLock { $0 += Array(bytes) } }
}
