import LocalSend
import WebServer

/// Says to devices who this machine is, over HTTP.
struct LocalSendCaller: Sendable {
    /// The time for an answer: a phone in the network has answered long before.
    private static let patience: Duration = .seconds(3)
    /// The time for a connection; a search tries many addresses at which nobody is.
    private static let connectTime: Duration = .seconds(2)

    private let identity: WebIdentity

    init(_ identity: LocalSendIdentity) throws { self.identity = try WebIdentity(pem: identity.pem) }

    /// Performs `register` at a place.
    ///
    /// Nothing is sent before the device has shown the expected certificate.
    func register(
        at place: LocalSendDirectory.Place,
        _ own: [UInt8]
    ) async -> (answer: [UInt8], certificate: [UInt8]?)? {
        let isSecure = place.scheme == .https
        guard let address = WebAddress(host: place.address, port: Int(place.port), isSecure: isSecure) else {
            return nil
        }
        var options = WebClient.Options(identity: identity)
        if let expected = place.expected { options.expects = { LocalSendFingerprint(certificate: $0) == expected } }
        options.connectTime = Self.connectTime
        (options.handshakeTime, options.answerTime, options.idleTime) = (Self.patience, Self.patience, Self.patience)
        options.maximumAnswerLength = LocalSendLimits.registrationLength
        let answer = try? await WebClient.post(
            to: address,
            LocalSendPath.register.path,
            content: .bytes(own, type: "application/json"),
            options: options
        )
        guard let answer, answer.status == LocalSendStatus.ok.rawValue else { return nil }
        return (answer.content, answer.certificate)
    }
}
