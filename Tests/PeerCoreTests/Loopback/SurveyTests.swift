import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// How much will be transferred, as the receiver's person learns it before the answer.
@Suite(.timeLimit(.minutes(10))) struct SurveyTests {
    /// A pair whose receiver knows the sender.
    private static func pair(isKnown: Bool = true) throws -> Pair {
        var pair = try Pair()
        // The time for a survey is what some tests are about; here everything must be compared.
        pair.receiving.surveyTimeout = .patience
        guard isKnown else { return pair }
        pair.senderTrust = MemoryTrustStore([pair.receiverIdentity.id: "Receiver"])
        pair.receiverTrust = MemoryTrustStore([pair.senderIdentity.id: "Sender"])
        return pair
    }

    private static func sink(_ there: [UInt8], asOlder: Bool) -> MemorySink {
        let sink = MemorySink()
        sink.state.withLock {
            $0.alreadyThere[.mbtiles] = there
            if asOlder { $0.older[.mbtiles] = there }
            $0.surveyed = [.mbtiles]
        }
        return sink
    }

    enum Here: CaseIterable {
        case olderVersion, keptPart, same
    }

    @Test(arguments: Here.allCases) func theEstimateIsWhatIsTransferred(here: Here) async throws {
        let source = try TransferTests.source(sizes: [20_000_000, 500])
        let bytes = try #require(source.bytes(.mbtiles))
        let there: [UInt8] =
            switch here {
            case .olderVersion: PieceTransferTests.older(bytes, changing: 100, .scattered)
            case .keptPart: bytes.prefix(15_000_000) + [UInt8](repeating: 0, count: 5_000_000)
            case .same: bytes
            }
        let sink = Self.sink(there, asOlder: here == .olderVersion)
        let told = Locked<TransferEstimate?>(nil)
        let outcome = try await Self.pair().transfer(source, into: sink) { offer in
            told.set(offer.estimate)
            #expect(sink.snapshot.begun == 0 && sink.snapshot.writes == 0)
            return .accept(offer.kinds)
        }
        let estimate = try #require(told.value)
        let kinds = Set(source.manifest.entries.map(\.kind))
        #expect(!estimate.isLimit(for: kinds))
        #expect(estimate.byteCount(of: kinds) == (try outcome.received.get().bytesTransferred))
        #expect(estimate.byteCount(of: [.mbtiles]) == estimate.byteCount(of: kinds) - 500)
        switch here {
        case .olderVersion: #expect(estimate.byteCount(of: [.mbtiles]) == 100 * 4096)
        case .keptPart: #expect((5_000_000..<5_020_000).contains(estimate.byteCount(of: [.mbtiles])))
        case .same: #expect(estimate.byteCount(of: [.mbtiles]) == 0)
        }
        #expect(outcome.sent?.bytesTransferred == estimate.byteCount(of: kinds))
        #expect(sink.snapshot.committed?[.mbtiles] == bytes)
        #expect(sink.snapshot.locatedCount == [.mbtiles: 1, .routing: 1])
    }

    @Test func withoutASurveyNothingIsAskedAndNothingIsKnown() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let sink = Self.sink(try #require(source.bytes(.mbtiles)), asOlder: true)
        sink.state.withLock { $0.surveyed = nil }
        let pair = try Pair(encryption: .none)
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            guard case .selection = try await peer.nextFrame() else { throw ScriptError("no selection") }
        } connect: { address in
            _ = await outcome {
                try await pair.receive(from: address, into: sink) { offer in
                    #expect(offer.estimate == nil)
                    return .accept(offer.kinds)
                }
            }
        }
    }

    /// Which pieces are here is told to nobody whose key is unknown; digests are asked for only.
    @Test func anUnknownSenderLearnsNothingOfThePiecesBeforeTheYes() async throws {
        let source = try TransferTests.source(sizes: [1_000_000])
        let bytes = try #require(source.bytes(.mbtiles))
        let sink = Self.sink(PieceTransferTests.older(bytes, changing: 3, .valley), asOlder: true)
        let outcome = try await Self.pair(isKnown: false).transfer(source, into: sink) { offer in
            let estimate = try #require(offer.estimate)
            #expect(estimate.isLimit(for: offer.kinds))
            #expect([16_384, 2 * 16_384].contains(estimate.byteCount(of: offer.kinds)))
            #expect(sink.snapshot.olderReadCount == 0)
            return .accept(offer.kinds)
        }
        #expect(try outcome.received.get().bytesTransferred == 3 * 4096)
    }

    @Test func aSurveyThatFailsLeavesTheOfferAsItIs() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let sink = Self.sink(try #require(source.bytes(.mbtiles)), asOlder: true)
        sink.state.withLock {
            $0.beforeLocating = { count, _ in
                if count == 0 { throw MemoryStoreError(reportToPeer: "The disk is gone.") }
            }
        }
        let outcome = try await Self.pair().transfer(source, into: sink) { offer in
            #expect(offer.estimate?.byteCount(of: offer.kinds) == 100_000)
            #expect(offer.estimate?.isLimit(for: offer.kinds) == true)
            return .accept(offer.kinds)
        }
        #expect(try outcome.received.get().bytesTransferred == 0)
    }

    /// What is still being located when the person answers is located once, and not waited for before.
    @Test func theAnswerMayComeWhileChunksAreLocated() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let sink = Self.sink(try #require(source.bytes(.mbtiles)), asOlder: false)
        let isAnswered = DispatchSemaphore(value: 0)
        sink.state.withLock { $0.beforeLocating = { _, _ in isAnswered.wait() } }
        var pair = try Self.pair()
        pair.receiving.surveyTimeout = .milliseconds(20)
        let outcome = try await pair.transfer(source, into: sink) { offer in
            #expect(offer.estimate?.byteCount(of: offer.kinds) == 100_000)
            #expect(offer.estimate?.isLimit(for: offer.kinds) == true)
            isAnswered.signal()
            return .accept(offer.kinds)
        }
        #expect(try outcome.received.get().bytesTransferred == 0)
        #expect(sink.snapshot.locatedCount == [.mbtiles: 1])
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        #expect(sink.snapshot.peers.map(\.displayName) == ["Sender"])
    }

    /// If nobody sees the number, digests are not requested before the answer, and chunks are located after it.
    @Test func withoutAReaderOfTheEstimateChunksAreLocatedAfterTheAnswer() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let sink = Self.sink(try #require(source.bytes(.mbtiles)), asOlder: false)
        var pair = try Self.pair()
        pair.showsEstimate = false
        let outcome = try await pair.transfer(source, into: sink) { offer in
            #expect(offer.estimate == nil && sink.snapshot.locatedCount.isEmpty)
            return .accept(offer.kinds)
        }
        #expect(try outcome.received.get().bytesTransferred == 0)
        #expect(sink.snapshot.locatedCount == [.mbtiles: 1])
    }

    /// The sender is silent until the person has answered.
    @Test func whatIsNotComparedInTimeCountsAsAWhole() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let bytes = try #require(source.bytes(.mbtiles))
        let sink = Self.sink(PieceTransferTests.withOneByteChanged(bytes), asOlder: false)
        var pair = try Pair(encryption: .none)
        pair.receiving.surveyTimeout = .milliseconds(100)
        pair.receiving.comparisonNotice = .milliseconds(20)
        let (updates, updatesIn) = TransferUpdates.makeStream()
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            #expect(try await peer.digestQuery() == DigestQuery(kinds: [.mbtiles]))
            // The list comes once, after the selection.
            try await peer.list(source)
            guard case .request(let request) = try await peer.next(.request) else { throw ScriptError("no request") }
            #expect(request.runs == [1..<2])
            await peer.sendData(0, offset: 16_384, bytes[16_384..<32_768])
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: source.manifest.id)))
            guard try await peer.next(.acknowledgement) != nil else { throw ScriptError("no acknowledgement") }
        } connect: { [pair] address in
            let result = try await pair.receive(from: address, into: sink, updates: updatesIn) { offer in
                #expect(offer.estimate?.byteCount(of: offer.kinds) == 100_000)
                #expect(offer.estimate?.isLimit(for: offer.kinds) == true)
                return .accept(offer.kinds)
            }
            #expect(result.bytesTransferred == 16_384)
        }
        updatesIn.finish()
        let steps = await UpdateTests.Told(updates).steps
        let comparing = try #require(steps.firstIndex(of: "comparing"))
        #expect(steps[comparing + 1] == "offered")
        #expect(sink.snapshot.committed?[.mbtiles] == bytes)
    }

    @Test func aListThatDoesNotMatchEndsTheTransferBeforeAnybodyIsAsked() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let sink = Self.sink(try #require(source.bytes(.mbtiles)), asOlder: false)
        var pair = try Pair(encryption: .none)
        pair.receiving.surveyTimeout = .patience
        pair.receiving.lingerTimeout = .milliseconds(200)
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            _ = try await peer.digestQuery()
            var digests = try source.chunkDigests(of: source.manifest.entries[0])
            digests[3] = ContentDigest(hashing: [1])
            try await peer.send(.digests(DigestListPart(resource: 0, digests: digests)))
            #expect(await peer.lastFailure()?.code == "digestMismatch")
        } connect: { [pair] address in
            let result = await outcome {
                try await pair.receive(from: address, into: sink) { _ in
                    Issue.record("somebody was asked")
                    return .decline(Refusal(.declined, "no"))
                }
            }
            #expect(peerError(result)?.code == .verificationFailed)
        }
        #expect(sink.snapshot.begun == 0)
    }

    @Test func aSenderThatLeavesEndsTheSurvey() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let sink = Self.sink(try #require(source.bytes(.mbtiles)), asOlder: false)
        var pair = try Pair(encryption: .none)
        pair.receiving.surveyTimeout = .patience
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            _ = try await peer.digestQuery()
            try await peer.send(.cancel(Cancellation(reason: "enough")))
            await peer.waitForEnd()
        } connect: { [pair] address in
            let result = await outcome { try await pair.receive(from: address, into: sink) }
            #expect(peerError(result)?.code == .peerCancelled)
        }
        #expect(sink.snapshot.begun == 0)
    }

    @Test func nothingWantedEndsAfterTheListsThatWereAskedFor() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let sink = Self.sink(try #require(source.bytes(.mbtiles)), asOlder: false)
        let outcome = try await Self.pair().transfer(source, into: sink) { _ in .accept([]) }
        #expect(try outcome.received.get().bytesTransferred == 0)
        #expect(sink.snapshot.committed == [:])
    }
}
