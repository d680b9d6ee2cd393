import Glibc
internal import NIOPosix
package import PeerStorage

/// The pages of a server.
package protocol WebSite: Sendable {
    /// Whether requests may have a query; if not, a path with a query does not exist.
    var takesQueries: Bool { get }

    /// Answers a request; called on any thread, which it may block for a moment.
    func respond(to request: WebRequest) -> WebResponse

    /// Answers a request, after minutes if a person has to say something.
    ///
    /// The task is cancelled when the client closes its connection meanwhile. What it returns then may reach nobody.
    func answer(to request: WebRequest) async -> WebResponse

    /// Returns the refusal of content for a path, before it is read; nil if a client can send content there.
    ///
    /// The request has the length that the client announces.
    func refusal(ofContentFor request: WebRequest) -> WebResponse?

    /// Returns the limits of content for a path; nil for those of the server.
    func limits(ofContentFor request: WebRequest) -> WebContentLimits?

    /// Returns what takes the content of a request as it comes; nil if ``contentFile()`` takes it.
    ///
    /// - Throws: ``WebRefusal`` with the answer, or any other error.
    func content(for request: WebRequest) throws -> (any WebContent)?

    /// Creates an empty file without a name for the content of a request, which disappears when it is closed.
    func contentFile() throws -> OpenFile
}

extension WebSite {
    /// A site has no queries unless it says so.
    package var takesQueries: Bool { false }

    /// A site answers at once unless it says otherwise.
    package func answer(to request: WebRequest) async -> WebResponse { await respondOnThread(to: request) }

    /// Answers a request at once, on a thread that this may block for a moment.
    package func respondOnThread(to request: WebRequest) async -> WebResponse {
        // Not cancelled: a client that has closed its sending side only may still read the answer.
        await withCheckedContinuation { continuation in
            NIOThreadPool.singleton.submit { state in
                continuation.resume(returning: state == .active ? respond(to: request) : .failed)
            }
        }
    }

    /// A site accepts no content unless it says so.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? { .readOnly }

    /// A site has the limits of its server unless it says otherwise.
    package func limits(ofContentFor request: WebRequest) -> WebContentLimits? { nil }

    /// A site takes content as a file unless it says otherwise.
    package func content(for request: WebRequest) throws -> (any WebContent)? { nil }

    /// A site that accepts no content has no file for it.
    package func contentFile() throws -> OpenFile { throw SystemError(number: EROFS) }
}
