import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

/// What people and stores decide, and how the other side learns of it.
@Suite(.timeLimit(.minutes(10))) struct DecisionTests {
    @Test func onlyWhatIsWishedForCrosses() async throws {
        let source = try TransferTests.source(sizes: [100_000, 50_000, 300])
        let sink = MemorySink()
        let outcome = try await Pair().transfer(source, into: sink) { _ in .accept([.savedroutes, .waypoints]) }
        #expect(try outcome.received.get().bytesTransferred == 300)
        #expect(sink.snapshot.committed == [.savedroutes: try #require(source.bytes(.savedroutes))])
    }

    @Test func nothingNeedBeWishedFor() async throws {
        let source = try TransferTests.source(sizes: [100])
        let sink = MemorySink()
        let outcome = try await Pair().transfer(source, into: sink) { _ in .accept([]) }
        #expect(try outcome.received.get().bytesTransferred == 0)
        #expect(try outcome.sent?.result.get() == outcome.received.get().receipt)
        #expect(sink.snapshot.committed == [:])
    }

    @Test func whatIsThereAlreadyDoesNotCross() async throws {
        let source = try TransferTests.source(sizes: [100_000, 20_000])
        let sink = MemorySink()
        sink.state.withLock { $0.alreadyThere[.mbtiles] = source.bytes(.mbtiles) }
        let outcome = try await Pair().transfer(source, into: sink)
        #expect(try outcome.received.get().bytesTransferred == 20_000)
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        #expect(sink.snapshot.finished.count == 2)
    }

    @Test func theContextReachesWhoDecides() async throws {
        let context = Locked<Data?>(nil)
        _ = try await Pair().transfer(
            TransferTests.source(sizes: [1]),
            into: MemorySink(),
            context: Data("hut 7".utf8),
            invite: { invitation in
                context.set(invitation.context)
                return .accept
            }
        )
        #expect(context.value == Data("hut 7".utf8))
    }

    /// What the application makes for a context is offered to this receiver, after the yes and not before.
    @Test(arguments: [EncryptionPreference.required, .none])
    func aReceiverGetsWhatIsMadeForIt(encryption: EncryptionPreference) async throws {
        let all = try TransferTests.source(sizes: [100_000, 300])
        let part = try TransferTests.source(sizes: [70_000])
        let isAccepted = Locked(false)
        let offering: @Sendable (Invitation) async throws -> any ResourceSource = { invitation in
            #expect(isAccepted.value && invitation.manifest == all.manifest)
            guard invitation.context == Data("part".utf8) else {
                throw MemoryStoreError(reportToPeer: "There is no such part.")
            }
            return part
        }
        let cases: [(context: String?, source: MemorySource?)] = [(nil, all), ("part", part), ("other", nil)]
        for (context, source) in cases {
            let sink = MemorySink()
            isAccepted.set(false)
            let outcome = try await Pair(encryption: encryption).transfer(
                all,
                into: sink,
                context: context.map { Data($0.utf8) },
                invite: { _ in
                    isAccepted.set(true)
                    return .accept
                },
                offering: offering
            )
            guard let source else {
                #expect(peerError(outcome.received)?.message.contains("There is no such part.") == true)
                #expect((outcome.sent?.result).flatMap { try? $0.get() } == nil)
                #expect(sink.snapshot.examined == 0)
                continue
            }
            let size = source.manifest.totalSize
            #expect(try outcome.received.get().bytesTransferred == size && outcome.sent?.bytesTransferred == size)
            #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        }
    }

    @Test func theSenderDeclines() async throws {
        let sink = MemorySink()
        let outcome = try await Pair().transfer(
            TransferTests.source(sizes: [1]),
            into: sink,
            invite: { _ in .decline(Refusal(.declined, "Not now.")) }
        )
        let received = peerError(outcome.received)
        #expect(received?.code == .declined)
        #expect(received?.message.contains("Not now.") == true)
        #expect(peerError(outcome.sent?.result)?.code == .declined)
        #expect(sink.snapshot.examined == 0)
    }

    @Test func theReceiverDeclines() async throws {
        let sink = MemorySink()
        let outcome = try await Pair().transfer(TransferTests.source(sizes: [1]), into: sink) { _ in
            .decline(Refusal(.declined, "Too big."))
        }
        #expect(peerError(outcome.received)?.code == .declined)
        let sent = peerError(outcome.sent?.result)
        #expect(sent?.code == .declined)
        #expect(sent?.message.contains("Too big.") == true)
        #expect(sink.snapshot.begun == 0)
    }

    @Test func aReceiverThatNeverDecidesDeclinesInTheEnd() async throws {
        var pair = try Pair()
        pair.receiving.offerTimeout = .milliseconds(300)
        pair.sending.offerTimeout = .milliseconds(300)
        let outcome = try await pair.transfer(TransferTests.source(sizes: [1]), into: MemorySink()) { _ in
            await untilCancelled()
            return .accept([])
        }
        #expect(peerError(outcome.received)?.message == "The offer was not answered in time.")
        let sent = peerError(outcome.sent?.result)
        #expect(sent?.code == .declined)
        #expect(sent?.message.contains("did not answer in time.") == true)
    }

    @Test func aSenderThatNeverAnswersDeclinesInTheEnd() async throws {
        var pair = try Pair()
        // A second is the shortest that the protocol knows.
        pair.receiving.invitationTimeout = .milliseconds(100)
        let outcome = try await pair.transfer(
            TransferTests.source(sizes: [1]),
            into: MemorySink(),
            invite: { _ in
                await untilCancelled()
                return .accept
            }
        )
        #expect(peerError(outcome.sent?.result)?.message == "There was no answer in time.")
        let received = peerError(outcome.received)
        #expect(received?.code == .declined)
        #expect(received?.message == "The person at the other machine did not answer in time.")
    }

    /// What is here, or how full the disk is, is nobody's business before anybody has agreed.
    private static let fewWords =
        "The other side reports: The receiver cannot accept the offer. Its screen shows why."

    /// That it is the disk helps the sender's person; no figures are said.
    @Test func aSenderIsToldThatTheDiskIsTheReason() async throws {
        let sink = MemorySink()
        let error = MemoryStoreError(reportToPeer: "Only 7 MB are free.", isOfStorage: true)
        sink.state.withLock { $0.refusesExamination = error }
        let outcome = try await Pair().transfer(TransferTests.source(sizes: [1000]), into: sink)
        let told = peerError(outcome.sent?.result)?.message ?? ""
        #expect(told.contains("because its disk is too full or fails") && !told.contains("7 MB"), "\(told)")
    }

    enum Step: CaseIterable, Sendable {
        case examine, begin, write, finish, commit
    }

    @Test(arguments: Step.allCases) func anErrorOfTheSinkReachesBothSides(step: Step) async throws {
        let error = MemoryStoreError(reportToPeer: "The disk is full.")
        let sink = MemorySink()
        sink.state.withLock { state in
            switch step {
            case .examine: state.refusesExamination = error
            case .begin: state.failsBegin = error
            case .write: state.failsWrite = error
            case .finish: state.failsFinish = error
            case .commit: state.failsCommit = error
            }
        }
        let outcome = try await Pair().transfer(TransferTests.source(sizes: [500_000, 5]), into: sink)
        let received = peerError(outcome.received)
        #expect(received?.code == .localStorage && received?.message == "The disk is full.")
        #expect(received?.cause as? MemoryStoreError == error)
        let sent = peerError(outcome.sent?.result)
        #expect(sent?.code == .peerFailed)
        #expect(sent?.message == (step == .examine ? Self.fewWords : "The other side reports: The disk is full."))
        #expect(!sink.snapshot.isCommitted)
        #expect(sink.snapshot.abandoned == sink.snapshot.begun)
    }

    @Test func anErrorOfWhoDecidesIsThrown() async throws {
        let error = MemoryStoreError(reportToPeer: "No terminal.")
        let outcome = try await Pair().transfer(TransferTests.source(sizes: [5]), into: MemorySink()) { _ in
            throw error
        }
        #expect(throws: error) { try outcome.received.get() }
        #expect(peerError(outcome.sent?.result)?.message == Self.fewWords)
    }

    @Test func theSenderIsNotDoneBeforeTheCommit() async throws {
        let order = Locked<[String]>([])
        let sink = MemorySink()
        sink.state.withLock { $0.beforeCommit = { order.set(order.value + ["commit"]) } }
        let pair = try Pair()
        try await pair.serving(TransferTests.source(sizes: [100])) { address, finished in
            async let received = pair.receive(from: address, into: sink)
            _ = try await finished.next()?.result.get()
            order.set(order.value + ["sent"])
            _ = try await received
        }
        #expect(order.value == ["commit", "sent"])
    }

    enum LastWord: CaseIterable, Sendable {
        /// The sender is stopped while the receiver commits.
        case senderStops
        /// The connection breaks when the receiver has heard that there is no more.
        case connectionBreaks
        /// The receiver says that it could not commit.
        case receiverFails
    }

    @Test(arguments: LastWord.allCases) func whoDoesNotHearTheLastWordSaysSo(last: LastWord) async throws {
        var pair = try Pair(encryption: .none)
        pair.sending.lingerTimeout = .milliseconds(100)
        let control = TransferControl()
        let sink = MemorySink()
        try await pair.serving(TransferTests.source(sizes: [100]), control: control) { [pair] address, finished in
            switch last {
            case .senderStops:
                let hasEnded = DispatchSemaphore(value: 0)
                sink.state.withLock { state in
                    state.beforeCommit = {
                        control.cancel(reason: "The sender goes home.")
                        hasEnded.wait()
                    }
                }
                async let received = pair.receive(from: address, into: sink)
                #expect(peerError(await finished.next()?.result)?.code == .outcomeUnknown)
                hasEnded.signal()
                // It has committed, whoever hears of it.
                _ = try await received
                return
            case .connectionBreaks, .receiverFails:
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet()
                    let manifest = try await peer.invite()
                    try await peer.select(from: manifest)
                    try await peer.send(.request(ChunkRequest(resource: 0, runs: [])))
                    guard try await peer.next(.done) != nil else { throw ScriptError("no done") }
                    guard last == .receiverFails else { return }
                    try await peer.send(.failure(Failure(code: "localStorage", message: "The disk is full.")))
                    await peer.waitForEnd()
                }
            }
            let error = peerError(await finished.next()?.result)
            #expect(error?.code == (last == .receiverFails ? .peerFailed : .outcomeUnknown))
        }
        #expect((sink.snapshot.committed != nil) == (last == .senderStops))
    }

    @Test func severalReceiversAtOnce() async throws {
        let source = try TransferTests.source(sizes: [2_000_000, 100])
        var pair = try Pair()
        // All come from one address here.
        pair.sending.maximumInvitationsPerAddress = 6
        pair.sending.maximumTransfersPerAddress = 6
        try await pair.serving(source) { [pair] address, finished in
            try await withThrowingTaskGroup(of: MemorySink.State.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let sink = MemorySink()
                        var one = pair
                        one.receiverIdentity = try PeerIdentity.generate(for: .hikeshare)
                        _ = try await one.receive(from: address, into: sink)
                        return sink.snapshot
                    }
                }
                for try await state in group { #expect(state.committed?[.mbtiles] == source.bytes(.mbtiles)) }
            }
            for _ in 0..<6 { _ = try await finished.next()?.result.get() }
        }
    }

    @Test func whoComesToABusySenderIsTold() async throws {
        var pair = try Pair()
        pair.sending.maximumTransfers = 1
        try await pair.serving(TransferTests.source(sizes: [100])) { [pair] address, finished in
            let first = MemorySink()
            _ = try await pair.receive(from: address, into: first) { offer in
                let second = await outcome { try await pair.receive(from: address, into: MemorySink()) }
                let error = peerError(second)
                #expect(error?.code == .declined)
                #expect(error?.message.contains("is busy with others") == true)
                return .accept(offer.kinds)
            }
            // Which of the two ends first is chance.
            let codes = [await finished.next(), await finished.next()].map { ended -> PeerError.Code? in
                if case .failure(let error as PeerError)? = ended?.result { error.code } else { nil }
            }
            #expect(codes == [.declined, nil] || codes == [nil, .declined])
            // The place is free again.
            _ = try await pair.receive(from: address, into: MemorySink())
        }
    }

    @Test func overIPv6() async throws {
        let sink = MemorySink()
        let source = try TransferTests.source(sizes: [100])
        let outcome = try await Pair().transfer(source, into: sink, host: "::1")
        #expect(try outcome.received.get().peer?.address.hasPrefix("[::1]:") == true)
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        let pair = try Pair()
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1") { first in
            let result = await outcome {
                try await PeerListener.with(local: pair.sender, host: "127.0.0.1", port: first.port) { _ in }
            }
            let error = peerError(result)
            #expect(error?.code == .cannotListen)
            #expect(error?.message.contains("in use") == true)
        }
    }

    @Test(arguments: [-1, 65_536]) func aPortThatIsNoneIsSaid(port: Int) async throws {
        let pair = try Pair()
        let result = await outcome { try await PeerListener.with(local: pair.sender, port: port) { _ in } }
        #expect(peerError(result)?.code == .invalidArgument)
    }

    @Test func nobodyThereIsSaidWithTheAddress() async throws {
        let pair = try Pair()
        let port = try await PeerListener.with(local: pair.sender, host: "127.0.0.1") { $0.port }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
        let error = peerError(result)
        #expect(error?.code == .cannotConnect)
        #expect(error?.message.contains("127.0.0.1:\(port) (Connection refused)") == true)
    }

    @Test func theNextAddressIsTried() async throws {
        let pair = try Pair()
        let dead = try await PeerListener.with(local: pair.sender, host: "127.0.0.1") { $0.port }
        try await pair.serving(TransferTests.source(sizes: [10])) { address, _ in
            let result = try await TransferReceiver(local: pair.receiver, configuration: pair.receiving).receive(
                from: [SocketAddress(ipAddress: "127.0.0.1", port: dead), address],
                into: MemorySink()
            ) { .accept($0.kinds) }
            #expect(result.bytesTransferred == 10)
        }
    }
}
