/// What a device sends here: first a question, and after a yes the files.
package struct IncomingSession: Sendable {
    /// A file that was accepted.
    package struct Reception: Sendable {
        /// How it stands.
        package enum State: Hashable, Sendable {
            /// It has not begun, or may begin again.
            case waiting
            /// It arrives.
            case arriving
            /// It is here, whole.
            case kept
            /// It does not come any more.
            case failed
        }

        /// Its description.
        package let file: LocalSendFile
        let token: String
        /// How it stands.
        package var state = State.waiting
        /// How many bytes have arrived since it began.
        package var byteCount: UInt64 = 0
        var beginnings = 0
        var wrongDigests = 0
    }

    /// Its id.
    package let id: String
    /// Who sends.
    package let client: LocalSendClient
    /// What is sent.
    package let offer: LocalSendOffer
    /// The accepted files, in the order of the list; nil while the question is open.
    package internal(set) var receptions: [Reception]?
    private let start: ContinuousClock.Instant
    private var lastBytes: ContinuousClock.Instant
    private var lastSign: ContinuousClock.Instant
    /// How many bytes have arrived since the last sign.
    private var silentBytes: UInt64 = 0

    /// Whether the person was not yet heard.
    package var isQuestion: Bool { receptions == nil }

    var isFinished: Bool { receptions?.allSatisfy { $0.state == .kept || $0.state == .failed } ?? false }
    var isComplete: Bool { receptions?.allSatisfy { $0.state == .kept } ?? false }

    init(id: String, client: LocalSendClient, offer: LocalSendOffer, at now: ContinuousClock.Instant) {
        (self.id, self.client, self.offer) = (id, client, offer)
        (start, lastSign, lastBytes) = (now, now, now)
    }

    /// The person has agreed, or a file has begun for the first time, or is kept.
    mutating func gaveSign(at now: ContinuousClock.Instant) { (lastSign, silentBytes) = (now, 0) }

    /// A file has begun, perhaps not for the first time.
    mutating func began(at now: ContinuousClock.Instant) { lastBytes = now }

    /// Returns whether a file is arriving.
    func isArriving(at now: ContinuousClock.Instant) -> Bool {
        receptions?.contains { $0.state == .arriving } ?? false && now - lastBytes < LocalSendLimits.stall
    }

    /// Bytes have arrived.
    mutating func gaveBytes(_ count: UInt64, at now: ContinuousClock.Instant) {
        lastBytes = now
        let (sum, isTooMuch) = silentBytes.addingReportingOverflow(count)
        silentBytes = sum
        if isTooMuch || sum >= LocalSendLimits.signOfLife { gaveSign(at: now) }
    }

    /// Returns whether it is given up.
    func isOver(at now: ContinuousClock.Instant) -> Bool {
        now - lastSign > (isQuestion ? LocalSendLimits.questionPatience : LocalSendLimits.silence)
            || now - start > LocalSendLimits.sessionAge
    }
}
