package import PeerStorage

/// A small HTTP/1.1 client for other machines of the network.
///
/// Each request has a connection of its own. Redirects are answers like any other, and no proxy is used, whatever the environment
/// says.
package enum WebClient {
    /// What a request sends.
    package enum Content: Sendable {
        /// Bytes of a media type; nil for none.
        case bytes([UInt8], type: String?)
        /// A range of an open file, which must not change meanwhile.
        case file(OpenFile, Range<UInt64>, type: String)

        /// The length, in bytes.
        var length: UInt64 {
            switch self {
            case .bytes(let bytes, _): UInt64(bytes.count)
            case .file(_, let range, _): range.upperBound - range.lowerBound
            }
        }

        /// The media type; nil for none.
        var type: String? {
            switch self {
            case .bytes(_, let type): type
            case .file(_, _, let type): type
            }
        }
    }

    /// How a request is made.
    package struct Options: Sendable {
        /// What this machine shows if the server asks for a certificate; nil for nothing.
        package var identity: WebIdentity?
        /// Returns whether a certificate in DER form is that of the server.
        ///
        /// Called before a byte of the request is sent, on a thread that it must not block. The handshake proves that the server
        /// has the key.
        package var expects: @Sendable (_ certificate: [UInt8]) -> Bool = { _ in true }
        /// The time for a connection.
        package var connectTime: Duration = .seconds(5)
        /// The time for the handshake.
        package var handshakeTime: Duration = .seconds(10)
        /// The time within which the server must take the next piece of the content, and send an answer that it has begun.
        package var idleTime: Duration = .seconds(30)
        /// The time from the end of the content until the answer begins.
        package var answerTime: Duration = .seconds(60)
        /// The maximum length of the content of the answer, in bytes.
        package var maximumAnswerLength = 64 * 1024
        /// Told how many bytes of the content were given to the network.
        package var progress: @Sendable (UInt64) -> Void = { _ in }
        /// Lets the content wait for others; nil if it does not wait.
        package var pace: (any WebFile.Pace)?

        package init(identity: WebIdentity? = nil) { self.identity = identity }
    }

    /// The answer of a server.
    package struct Answer: Hashable, Sendable {
        /// The number of the status.
        package var status: Int
        package var content: [UInt8]
        /// The certificate of the server in DER form; nil without encryption.
        package var certificate: [UInt8]?
    }

    /// Why there is no answer.
    package enum Failure: Error, Hashable, Sendable {
        /// No connection could be made.
        case unreachable
        /// The server has another certificate than the expected one; nothing was sent.
        case otherCertificate
        /// The server does not encrypt as it should, or does not accept this machine's certificate.
        case insecure
        /// The server did not go on in time.
        case silent
        /// The connection ended before the answer was complete.
        case closed
        /// The answer is no HTTP, or too long.
        case invalidAnswer
        /// The own file cannot be read.
        case unreadable
    }

    /// Sends a request with the method `POST`, and returns its answer, whatever its status.
    ///
    /// The answer may come before the content has been sent. Then the rest is not sent.
    ///
    /// - Throws: ``Failure``, or `CancellationError`.
    package static func post(
        to address: WebAddress,
        _ path: String,
        query: [String: String] = [:],
        content: Content,
        options: Options = Options()
    ) async throws -> Answer {
        try Task.checkCancellation()
        let target = query.isEmpty ? path : "\(path)?\(WebQuery.text(query))"
        let exchange = WebExchange(address, target, content, options)
        defer { options.pace?.leave() }
        return try await withTaskCancellationHandler {
            try await exchange.run()
        } onCancel: {
            exchange.fail(CancellationError())
        }
    }
}
