import Foundation
import PeerStorage
import PeerTestSupport
import Testing

@testable import NearbyPeers

/// System calls that fail.
@Suite(.timeLimit(.minutes(10))) struct StorageFaultTests {
    /// Whether parts are kept, and whether the file system has links.
    private static let cases = [(true, true), (true, false), (false, true), (false, false)]

    @Test(arguments: cases) func aCommitThatFailsLeavesNothingAndCanBeRepeated(
        isKept: Bool,
        hasLinks: Bool
    ) async throws {
        // Too little for a synchronisation in the background, which would be counted among the calls.
        let shipment = try Shipment(size: 90_000)
        var failed: Set<String> = []
        var number = 0
        var isTried = true
        while isTried {
            try await Bench.with { bench in
                let faults = SomeFail()
                let partials = isKept ? bench.partials : nil
                let storage = shipment.storage(.folder(path: bench.folder.path), keptIn: partials, faults)
                let (transfer, _) = try shipment.begin(into: storage)
                try transfer.finish(shipment.entry)
                faults.fail { [number] call, operation, _ in
                    if operation == .link, !hasLinks { return EPERM }
                    return call == number ? EIO : nil
                }
                let failure = Result { try transfer.commit() }.error
                isTried = faults.seen.count > number
                if let failure {
                    failed.insert(faults.seen[number])
                    let error = try #require(failure as? PeerError)
                    #expect(error.code == .localStorage && error.remedy != nil)
                    #expect(!error.message.contains("/"))
                    #expect(bench.visibleNames == [] && storage.received == nil, "call \(number)")
                    transfer.abandon()
                    faults.fail(nil)
                    // What is there need not come again.
                    #expect(try shipment.bring(into: storage) == [])
                }
                faults.fail(nil)
                #expect(storage.received == .file(path: bench.url("Tour.gpx").path), "call \(number)")
                #expect(try Data(contentsOf: bench.url("Tour.gpx")) == Data(shipment.bytes))
                storage.discard()
                #expect(bench.visibleNames == ["Tour.gpx"], "call \(number)")
            }
            number += 1
            if number > 100 { break }
        }
        #expect(number < 100)
        #expect(failed == (hasLinks ? ["status", "synchronize", "link"] : ["synchronize", "status", "rename"]))
    }

    @Test func anyCallThatFailsBeforeTheCommitEndsOnlyTheTransfer() async throws {
        let shipment = try Shipment(size: 100_000)
        for isKept in [false, true] {
            var number = 0
            var hasFailed = true
            while hasFailed, number < 200 {
                try await Bench.with { bench in
                    let faults = SomeFail()
                    faults.fail { [number] call, _, _ in call == number ? EIO : nil }
                    let partials = isKept ? bench.partials : nil
                    let storage = shipment.storage(.folder(path: bench.folder.path), keptIn: partials, faults)
                    let failure = Result { try shipment.begin(into: storage).0.abandon() }.error
                    #expect(failure == nil || failure is PeerError)
                    hasFailed = faults.seen.count > number
                    #expect(bench.visibleNames == [])
                    faults.fail(nil)
                    try shipment.bring(into: storage)
                    #expect(bench.names == ["Tour.gpx"], "call \(number)")
                    #expect(bench.keptNames == [], "call \(number)")
                }
                number += 1
            }
            #expect(number > 10)
        }
    }

    @Test func whatTheDiskRefusedWhileItCameIsNotCommitted() async throws {
        try await Bench.with { bench in
            let shipment = try Shipment(size: 1_000_000)
            let faults = SomeFail()
            faults.fail { _, operation, path in operation == .synchronize && path.contains(".receiving") ? EIO : nil }
            let storage = shipment.storage(.folder(path: bench.folder.path), keptIn: nil, faults)
            #expect(throws: PeerError.self) { try shipment.bring(into: storage) }
            #expect(bench.visibleNames == [])
            faults.fail(nil)
            try shipment.bring(into: storage)
            #expect(try Data(contentsOf: bench.url("Tour.gpx")) == Data(shipment.bytes))
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
