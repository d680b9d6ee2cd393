import PeerProtocol
import PeerTestSupport
import Testing

@testable import LocalSend

/// Both machines with each other, over the bytes of requests and answers.
@Suite struct BothSidesTests {
    private static let now = Samples.start

    /// Two machines that speak with each other.
    private struct Pair {
        var sender: OutgoingLocalSend
        var receiver = IncomingLocalSend()
        let client: LocalSendClient
        var pin: String?
        var kept: [String] = []
        var endings: [IncomingLocalSend.Ending] = []

        /// Performs a step of the sender, and returns the next one.
        mutating func perform(
            _ step: OutgoingLocalSend.Step,
            accepts: (LocalSendFile) -> Bool,
            arrives: (LocalSendFile) -> IncomingLocalSend.FileEnd
        ) throws -> OutgoingLocalSend.Step {
            switch step {
            case .prepare(let path):
                let request = try #require(try LocalSendPath(path.path, query: path.query))
                guard request == .prepareUpload(pin: pin) else { return sender.prepared(status: 401, []) }
                let offer = try LocalSendOffer(json: sender.offer.json)
                let asked = receiver.prepare(offer, from: client, as: "s", at: now)
                guard case .ask = asked else {
                    if case .answer(let status) = asked { return sender.prepared(status: status.rawValue, []) }
                    return .wait
                }
                let accepted = offer.files.filter(accepts).map { ($0.id, "token of \($0.id)") }
                switch receiver.answered("s", Dictionary(uniqueKeysWithValues: accepted), at: now) {
                case .agree(let agreement): return sender.prepared(status: 200, agreement.json)
                case .answer(let status): return sender.prepared(status: status.rawValue, [])
                }
            case .askPIN: return sender.entered(pin: pin)
            case .upload(let uploads):
                var next = OutgoingLocalSend.Step.wait
                var more: [OutgoingLocalSend.Upload] = []
                for upload in uploads {
                    guard
                        case .upload(let session, let file, let token)? =
                            try LocalSendPath(upload.path.path, query: upload.path.query)
                    else { continue }
                    let begin = receiver.begin(session, file, token, from: client, length: upload.file.size, at: now)
                    guard case .take(let taken) = begin else {
                        Issue.record("\(begin)")
                        continue
                    }
                    let end = receiver.ended(session, file, arrives(taken), at: now)
                    if end.status == .ok { kept.append(file) }
                    if let ending = end.ending { endings.append(ending) }
                    switch sender.uploaded(file, status: end.status.rawValue) {
                    case .upload(let uploads): more += uploads
                    case .wait: break
                    case let step: next = step
                    }
                }
                return more.isEmpty ? next : .upload(more)
            case .wait, .end: return step
            }
        }
    }

    private static func pair(_ count: Int, atOnce: Int = 1) throws -> Pair {
        let device = try Samples.device(1)
        let files = try (0..<count).map {
            try Samples.file("\($0)", size: UInt64($0), sha256: ContentDigest(hashing: [UInt8($0)]))
        }
        return Pair(
            sender: OutgoingLocalSend(LocalSendOffer(from: device, files), atOnce: atOnce),
            client: LocalSendClient("10.0.0.1", certificate: device.fingerprint)
        )
    }

    private static func whole(_ file: LocalSendFile) -> IncomingLocalSend.FileEnd { .complete(file.size, file.sha256) }

    @Test(arguments: [(1, 1), (7, 1), (7, 2), (200, 3)]) func filesArrive(_ count: Int, _ atOnce: Int) throws {
        var pair = try Self.pair(count, atOnce: atOnce)
        pair.pin = "1234"
        var step = pair.sender.begin()
        for _ in 0..<1000 { step = try pair.perform(step, accepts: { _ in true }, arrives: Self.whole) }
        #expect(step == .end(.complete, nil))
        #expect(pair.kept.count == count && pair.endings == [.complete])
        #expect(pair.receiver.all.isEmpty)
    }

    @Test func aTextIsReadAndNothingIsSent() throws {
        var pair = try Self.pair(1)
        var step = pair.sender.begin()
        for _ in 0..<10 { step = try pair.perform(step, accepts: { _ in false }, arrives: Self.whole) }
        #expect(step == .end(.notNeeded, nil))
        #expect(pair.kept.isEmpty && pair.receiver.all.isEmpty)
    }

    /// Whatever fails on the way: both sides end, and know the same of each file.
    @Test(arguments: 1...100 as ClosedRange<UInt64>) func bothSidesEnd(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pair = try Self.pair(Int.random(in: 1...5, using: &random), atOnce: Int.random(in: 1...3, using: &random))
        let accepted = (0..<5).map { _ in Bool.random(using: &random) }
        var step = pair.sender.begin()
        for _ in 0..<100 {
            func arrives(_ file: LocalSendFile) -> IncomingLocalSend.FileEnd {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: .complete(file.size, ContentDigest(hashing: []))
                case 1: .complete(file.size + 1, file.sha256)
                case 2: .notKept
                default: Self.whole(file)
                }
            }
            step = try pair.perform(step, accepts: { accepted[Int($0.id) ?? 0] }, arrives: arrives)
        }
        guard case .end(let outcome, nil) = step else {
            Issue.record("seed \(seed): \(step)")
            return
        }
        let isComplete = pair.endings == [.complete]
        #expect((outcome == .complete) == isComplete, "seed \(seed)")
        #expect((outcome == .notNeeded) == pair.endings.isEmpty, "seed \(seed)")
        #expect(pair.receiver.all.isEmpty && Set(pair.kept).count == pair.kept.count, "seed \(seed)")
    }
}
