import PeerProtocol
import Testing

@testable import LocalSend

/// All orders of a few events, against rules that are simpler than the machines.
@Suite struct OrderTests {
    /// What a device can be told by this side, and how often.
    private struct Sender {
        var machine: OutgoingLocalSend
        var running: Set<String> = []
        var attempts: [String: Int] = [:]
        var pins = 0
        var outcome: OutgoingLocalSend.Outcome?

        mutating func perform(
            _ event: (inout OutgoingLocalSend) -> OutgoingLocalSend.Step,
            answered file: String? = nil
        ) {
            let wasOver = outcome != nil
            let session = machine.session
            let step = event(&machine)
            if let file { running.remove(file) }
            switch step {
            case .prepare, .askPIN, .upload: #expect(!wasOver)
            case .wait: break
            case .end(let end, let request):
                #expect(!wasOver)
                outcome = end
                if let request { #expect(request == .cancel(session: session)) }
                if request != nil { #expect([.stoppedHere, .lost].contains(end)) }
            }
            if case .askPIN = step { pins += 1 }
            if case .upload(let uploads) = step {
                for upload in uploads {
                    #expect(running.insert(upload.file.id).inserted && upload.session == "s")
                    #expect(upload.token == "t" + upload.file.id && upload.file.id != "2")
                    attempts[upload.file.id, default: 0] += 1
                }
            }
            #expect(machine.outcome == outcome && running.count <= 2 && pins <= 3)
            #expect(attempts.values.allSatisfy { $0 <= 3 })
            if outcome == .complete { #expect(running.isEmpty && attempts.keys.sorted() == ["0", "1"]) }
        }
    }

    @Test(arguments: [1, 2]) func aSenderEndsOnceAndSendsWhatWasAccepted(_ atOnce: Int) throws {
        let files = try (0..<3).map { try Samples.file("\($0)") }
        let offer = LocalSendOffer(from: try Samples.device(1), files)
        let accepted = LocalSendAgreement(session: "s", tokens: ["0": "t0", "1": "t1", "7": "t7"]).json
        var events: [(inout Sender) -> Void] = [
            { $0.perform { $0.begin() } }, { $0.perform { $0.lost() } }, { $0.perform { $0.stop() } },
            { $0.perform { $0.metOtherDevice() } }, { $0.perform { $0.cancelledThere("s") } },
            { $0.perform { $0.entered(pin: "1") } }, { $0.perform { $0.entered(pin: nil) } },
        ]
        for status in [200, 204, 401, 403, 500] {
            events.append { $0.perform { $0.prepared(status: status, accepted) } }
        }
        for file in ["0", "1"] {
            for status in [200, 403, 422, 500] {
                events.append { $0.perform({ $0.uploaded(file, status: status) }, answered: file) }
            }
        }
        var count = 0
        func explore(_ sender: Sender, _ depth: Int) {
            count += 1
            guard depth > 0 else { return }
            for event in events {
                var next = sender
                event(&next)
                explore(next, depth - 1)
            }
        }
        var sender = Sender(machine: OutgoingLocalSend(offer, atOnce: atOnce))
        explore(sender, 2)
        sender.perform { $0.begin() }
        explore(sender, 2)
        sender.perform { $0.prepared(status: 200, accepted) }
        explore(sender, 3)
        #expect(count > 8000)
    }

    /// What two devices send, and what the person has said to it.
    private struct Receiver {
        var machine = IncomingLocalSend()
        var questions: Set<Int> = []
        var agreed: Set<Int> = []
        var running: Set<Int> = []
        var kept: Set<Int> = []

        mutating func end(_ device: Int) {
            questions.remove(device)
            agreed.remove(device)
            kept.remove(device)
        }

        func check() {
            #expect(machine.all.map(\.id).sorted() == questions.union(agreed).map { "s\($0)" }.sorted())
            #expect(machine.all.allSatisfy { $0.isQuestion == questions.contains($0.id == "s1" ? 1 : 2) })
        }
    }

    @Test func aReceiverTakesWhatAPersonHasAgreedTo() throws {
        let now = Samples.start
        let digest = ContentDigest(hashing: [1])
        let offers = try [1, 2].map { number in
            LocalSendOffer(from: try Samples.device(number), [try Samples.file("0", size: 3, sha256: digest)])
        }
        let clients = offers.enumerated().map { LocalSendClient("10.0.0.\($0)", certificate: $1.sender.fingerprint) }
        var events: [(inout Receiver) -> Void] = []
        for device in [1, 2] {
            let (offer, client, id) = (offers[device - 1], clients[device - 1], "s\(device)")
            events.append { state in
                let isFree = !state.questions.contains(device) && !state.agreed.contains(device)
                let isStopped = state.agreed.contains(device) && !state.running.contains(device)
                let step = state.machine.prepare(offer, from: client, as: id, at: now)
                #expect(step == (isFree ? .ask(replacing: nil) : isStopped ? .ask(replacing: id) : .answer(.busy)))
                guard isFree || isStopped else { return }
                state.end(device)
                state.questions.insert(device)
            }
            for tokens in [["0": "t\(device)"], nil] {
                events.append { state in
                    let step = state.machine.answered(id, tokens, at: now)
                    guard state.questions.remove(device) != nil else { return #expect(step == .answer(.refused)) }
                    if let tokens {
                        #expect(step == .agree(LocalSendAgreement(session: id, tokens: tokens)))
                        state.agreed.insert(device)
                    } else {
                        #expect(step == .answer(.refused))
                    }
                }
            }
            // With the own token, and that of the other device.
            for token in ["t1", "t2"] {
                events.append { state in
                    let step = state.machine.begin(id, "0", token, from: client, length: nil, at: now)
                    let isRight = state.agreed.contains(device) && token == "t\(device)"
                    if isRight, !state.running.contains(device) {
                        #expect(step == .take(offer.files[0]))
                        state.running.insert(device)
                    } else {
                        #expect(step == .answer(isRight ? .busy : .refused, nil))
                    }
                }
            }
            let ends: [(IncomingLocalSend.FileEnd, LocalSendStatus, IncomingLocalSend.Ending?)] = [
                (.complete(3, digest), .ok, .complete), (.complete(3, ContentDigest(hashing: [])), .wrongDigest, nil),
                (.complete(2, digest), .invalid, .incomplete), (.interrupted, .failed, nil),
            ]
            for (end, status, ending) in ends {
                events.append { state in
                    // A device that begins a file of a session that is over has no file there.
                    let isRunning = state.running.remove(device) != nil && state.agreed.contains(device)
                    let step = state.machine.ended(id, "0", end, at: now)
                    #expect(step == (isRunning ? .init(status: status, ending: ending) : .init(status: .refused)))
                    if isRunning, ending != nil { state.end(device) }
                }
            }
            events.append { state in
                let isThere = state.questions.contains(device) || state.agreed.contains(device)
                #expect(state.machine.cancelled(id, from: client) == (isThere ? id : nil))
                state.end(device)
                state.running.remove(device)
            }
        }
        var count = 0
        func explore(_ state: Receiver, _ depth: Int) {
            count += 1
            guard depth > 0 else { return }
            for event in events {
                var next = state
                event(&next)
                next.check()
                explore(next, depth - 1)
            }
        }
        explore(Receiver(), 3)
        var state = Receiver()
        events[0](&state)
        events[1](&state)
        explore(state, 3)
        #expect(count > 15_000)
    }
}
