import LocalSend
import PeerTestSupport
import WebServer

@testable import PeerCore

/// A phone with LocalSend that gets files, and answers as a test says.
final class ReceivingPhone: WebSite {
    /// What has happened to the phone.
    struct Record: Sendable {
        /// The lists that came, each with the PIN that came with it.
        var offers: [LocalSendOffer] = []
        var pins: [String?] = []
        /// The contents of the files that came.
        var contents: [[UInt8]] = []
        /// The sessions that were stopped there.
        var cancels: [String?] = []
        /// The certificates that were shown.
        var certificates: Set<[UInt8]?> = []
    }

    /// The bytes of a request.
    private final class Collected: WebContent {
        let bytes = Locked<[UInt8]>([])

        func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.withLock { $0 += bytes } }
    }

    /// The id that the phone gives to each session.
    static let session = "session-1"

    /// The key and the certificate.
    let identity: WebIdentity
    /// Answers to a list, the number of which is given from 1.
    private let prepared: @Sendable (Int) async -> WebResponse.Status
    /// Answers to a file, the number of which is given from 1.
    private let uploaded: @Sendable (Int) async -> WebResponse.Status
    private let kept = Locked(Record())

    var record: Record { kept.value }

    init(
        prepared: @escaping @Sendable (Int) async -> WebResponse.Status = { _ in .ok },
        uploaded: @escaping @Sendable (Int) async -> WebResponse.Status = { _ in .ok }
    ) throws {
        identity = try Self.newIdentity()
        (self.prepared, self.uploaded) = (prepared, uploaded)
    }

    static func newIdentity() throws -> WebIdentity {
        let application = try PeerServiceType(validating: "localsend")
        return try WebIdentity(pem: PeerIdentity.generate(for: application).pemRepresentation)
    }

    var takesQueries: Bool { true }

    func refusal(ofContentFor request: WebRequest) -> WebResponse? { nil }

    func limits(ofContentFor request: WebRequest) -> WebContentLimits? {
        WebContentLimits(length: 1 << 30, allowsUnknownLength: true, stallTime: .patience)
    }

    func content(for request: WebRequest) -> (any WebContent)? { Collected() }

    func respond(to request: WebRequest) -> WebResponse { .notFound }

    func answer(to request: WebRequest) async -> WebResponse {
        let text = "/" + request.path.components.joined(separator: "/")
        guard let path = try? LocalSendPath(text, query: request.query) else { return .notFound }
        let bytes = (request.taken as? Collected)?.bytes.value ?? []
        kept.withLock { _ = $0.certificates.insert(request.certificate) }
        switch path {
        case .prepareUpload(let pin):
            guard let offer = try? LocalSendOffer(json: bytes) else { return WebResponse(.badRequest, "No list.") }
            let count = kept.withLock { record in
                record.offers.append(offer)
                record.pins.append(pin)
                return record.offers.count
            }
            let status = await prepared(count)
            guard status == .ok else { return status == .noContent ? .noContent : WebResponse(status, "No.") }
            let tokens = Dictionary(offer.files.map { ($0.id, "token of \($0.id)") }) { first, _ in first }
            let agreement = LocalSendAgreement(session: Self.session, tokens: tokens)
            return WebResponse(agreement.json, as: "application/json")
        case .upload(Self.session, let file, let token) where token == "token of \(file)":
            let count = kept.withLock { record in
                record.contents.append(bytes)
                return record.contents.count
            }
            let status = await uploaded(count)
            return status == .ok ? WebResponse([], as: "application/json") : WebResponse(status, "No.")
        case .cancel(let session):
            kept.withLock { $0.cancels.append(session) }
            return WebResponse([], as: "application/json")
        case .upload, .register, .info: return .notFound
        }
    }
}
