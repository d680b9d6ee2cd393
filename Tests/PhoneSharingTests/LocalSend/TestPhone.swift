import LocalSend
import PeerProtocol
import PeerTestSupport
import WebServer

@testable import PeerCore
@testable import PhoneSharing

/// A phone that sends by LocalSend as a test says.
struct TestPhone: Sendable {
    /// A file, which need not be what its description says.
    struct File: Sendable {
        var id: String
        var name: String
        var content: [UInt8]
        /// The size that is announced; nil for that of the content.
        var size: UInt64?
        var digest: ContentDigest?

        init(_ name: String, _ content: [UInt8], id: String? = nil, size: UInt64? = nil, digest: ContentDigest? = nil) {
            (self.id, self.name, self.content) = (id ?? "id-\(name.utf8.count)-\(name.hashValue)", name, content)
            (self.size, self.digest) = (size, digest)
        }
    }

    let device: LocalSendDevice
    let address: WebAddress
    let options: WebClient.Options

    init(_ alias: String, on port: Int, isSecure: Bool, identity: WebIdentity?) throws {
        let fingerprint = identity.map { LocalSendFingerprint(certificate: $0.certificateBytes) }
        device = try TakingBench.device(alias, fingerprint)
        address = try WebAddress(host: "127.0.0.1", port: port, isSecure: isSecure).required()
        var options = WebClient.Options(identity: identity)
        (options.connectTime, options.handshakeTime) = (.patience, .patience)
        (options.idleTime, options.answerTime) = (.patience, .patience)
        self.options = options
    }

    /// A new key and its certificate.
    static func identity() throws -> WebIdentity {
        let application = try PeerServiceType(validating: "localsend")
        return try WebIdentity(pem: PeerIdentity.generate(for: application).pemRepresentation)
    }

    func post(_ path: LocalSendPath, _ content: [UInt8], type: String? = nil) async throws -> WebClient.Answer {
        try await WebClient.post(
            to: address,
            path.path,
            query: path.query,
            content: .bytes(content, type: type),
            options: options
        )
    }

    /// Asks whether it may send what a list says.
    func prepare(json: [UInt8]) async throws -> WebClient.Answer {
        try await post(.prepareUpload(pin: nil), json, type: "application/json")
    }

    /// Asks whether it may send files.
    func prepare(_ files: [File]) async throws -> WebClient.Answer { try await prepare(json: offer(files).json) }

    func offer(_ files: [File]) throws -> LocalSendOffer {
        LocalSendOffer(
            from: device,
            try files.map { file in
                let size = file.size ?? UInt64(file.content.count)
                return try LocalSendFile(id: file.id, name: file.name, size: size, sha256: file.digest).required()
            }
        )
    }

    /// Asks whether it may send a text.
    func prepare(text: String) async throws -> WebClient.Answer {
        let size = UInt64(text.utf8.count)
        let file = try LocalSendFile(id: "t", name: "m.txt", size: size, type: "text/plain", preview: text).required()
        return try await prepare(json: LocalSendOffer(from: device, [file]).json)
    }

    /// What is agreed to.
    func agree(on files: [File]) async throws -> LocalSendAgreement {
        try LocalSendAgreement(json: try await prepare(files).content)
    }

    /// Sends a file; returns the status of the answer.
    func upload(_ file: File, _ agreement: LocalSendAgreement, content: [UInt8]? = nil) async throws -> Int {
        let path = LocalSendPath.upload(
            session: agreement.session,
            file: file.id,
            token: try agreement.tokens[file.id].required()
        )
        return try await post(path, content ?? file.content).status
    }

    /// Asks and sends all; returns the statuses of the answers, first that to the question.
    @discardableResult
    func send(_ files: [File]) async throws -> [Int] {
        let answer = try await prepare(files)
        guard answer.status == 200 else { return [answer.status] }
        let agreement = try LocalSendAgreement(json: answer.content)
        var statuses = [answer.status]
        for file in files where agreement.tokens[file.id] != nil { statuses.append(try await upload(file, agreement)) }
        return statuses
    }

    func cancel(_ session: String?) async throws -> Int { try await post(.cancel(session: session), []).status }
}
