import Foundation
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// Transfers that are resumed when their connection is lost.
@Suite(.timeLimit(.minutes(10))) struct RetryingTests {
    /// Passes bytes on in both directions, and cuts the line after so many bytes of the sender.
    private static func relay(_ receiver: RawConnection, toPort port: Int, cutAfter count: Int) {
        guard let sender = try? RawConnection(toPort: port) else { return }
        Thread.detachNewThread {
            while case let bytes = receiver.read(), !bytes.isEmpty, sender.write(bytes) {}
            sender.end()
        }
        var passed = 0
        while passed < count, case let bytes = sender.read(atMost: 4096), !bytes.isEmpty, receiver.write(bytes) {
            passed += bytes.count
        }
        sender.end()
    }

    private struct Outcome {
        var result: Result<TransferReceiver.Result, any Error>
        var connectionCount: Int
        var questionCount: Int
    }

    /// Receives over lines of which each is cut after so many bytes, the ones after the last never.
    private static func receive(
        _ source: MemorySource,
        into sink: MemorySink,
        retrying retries: Int,
        cutting cuts: [Int],
        answer: @escaping @Sendable (TransferOffer) -> OfferAnswer = { .accept($0.kinds) }
    ) async throws -> Outcome {
        let pair = try Pair()
        let (connections, questions) = (Locked(0), Locked(0))
        return try await pair.serving(source) { address, _ in
            let port = try #require(address.port)
            return try await RawServer.with { connection in
                let number = connections.withLock { count in
                    defer { count += 1 }
                    return count
                }
                relay(connection, toPort: port, cutAfter: number < cuts.count ? cuts[number] : .max)
            } _: { server in
                let address = PeerAddress(host: "127.0.0.1", port: server.port)
                let result: Result<TransferReceiver.Result, any Error>
                do {
                    let receiver = TransferReceiver(local: pair.receiver, configuration: pair.receiving)
                    result = .success(
                        try await receiver.receive(
                            retrying: retries,
                            after: .milliseconds(10),
                            from: [address],
                            into: sink
                        ) { offer in
                            questions.withLock { $0 += 1 }
                            return answer(offer)
                        }
                    )
                } catch {
                    result = .failure(error)
                }
                return Outcome(result: result, connectionCount: connections.value, questionCount: questions.value)
            }
        }
    }

    private static func code(_ outcome: Outcome) -> PeerError.Code? {
        guard case .failure(let error) = outcome.result else { return nil }
        return (error as? PeerError)?.code
    }

    /// Nobody is asked again about the same offer of the same machine.
    @Test func aTransferIsResumedAfterACut() async throws {
        let (source, sink) = (try TransferTests.source(sizes: [3_000_001]), MemorySink())
        let outcome = try await Self.receive(source, into: sink, retrying: 3, cutting: [1_000_000])
        #expect(try outcome.result.get().receipt.imported["mbtiles"] == 3_000_001)
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        #expect((outcome.connectionCount, outcome.questionCount) == (2, 1))
    }

    @Test(arguments: [0, 2]) func aLineThatBringsNothingIsGivenUp(retries: Int) async throws {
        let (source, sink) = (try TransferTests.source(sizes: [16 << 20]), MemorySink())
        // So many bytes hold the offer, and less than the list of digests.
        let cuts = Array(repeating: 24 << 10, count: 10)
        let outcome = try await Self.receive(source, into: sink, retrying: retries, cutting: cuts)
        #expect(Self.code(outcome) == .connectionLost, "\(outcome.result)")
        #expect((outcome.connectionCount, outcome.questionCount) == (1 + retries, 1))
        #expect(!sink.snapshot.isCommitted)
    }

    @Test func whatIsDeclinedIsNotTriedAgain() async throws {
        let (source, sink) = (try TransferTests.source(sizes: [1_000]), MemorySink())
        let outcome = try await Self.receive(source, into: sink, retrying: 3, cutting: []) { _ in
            .decline(Refusal(.declined, "no."))
        }
        #expect(Self.code(outcome) == .declined, "\(outcome.result)")
        #expect((outcome.connectionCount, outcome.questionCount) == (1, 1))
    }
}
