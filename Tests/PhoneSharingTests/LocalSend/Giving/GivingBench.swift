import Foundation
import HostNetwork
import LocalSend
import PeerTestSupport
import RegionStore
import SharingTestSupport
import Synchronization
import Testing
import WebServer

@testable import PhoneSharing
@testable import RegionSharing

/// A sender of small regions, and a phone to which it can send by LocalSend, with real connections.
struct GivingBench: Sendable {
    private struct Finished: Error {}

    let person: TestPerson
    let files: PhoneFiles
    let giver: PhoneGiver
    let finder: LocalSendFinder
    /// The phone, as it was found.
    let phone: LocalSendPhone
    let regions: [RegionSummary]

    /// Runs one until `body` returns.
    ///
    /// - Parameters:
    ///   - shown: The key by which the phone is known; nil for its own.
    ///   - isThere: Whether something listens on the port that the phone has told.
    static func with(
        _ receiving: ReceivingPhone,
        _ person: TestPerson = TestPerson(),
        consent: Consent = .person,
        shown: WebIdentity? = nil,
        isSecure: Bool = true,
        isThere: Bool = true,
        change: @escaping @Sendable (inout LocalSendWishes) -> Void = { _ in },
        _ body: @escaping @Sendable (GivingBench) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExamplePage(in: directory, person, count: 2, consent: consent)
            let certificate = (shown ?? receiving.identity).certificateBytes
            do {
                try await WebServer.run(configuration(receiving, isSecure), site: receiving) { port in
                    let bench = try Self.bench(example, isThere ? port : 1, certificate, isSecure: isSecure, change)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await bench.files.run() }
                        group.addTask { await bench.files.turns.tick() }
                        defer { group.cancelAll() }
                        try await body(bench)
                    }
                    throw Finished()
                }
            } catch is Finished {
                return
            }
        }
    }

    private static func bench(
        _ example: ExamplePage,
        _ port: Int,
        _ certificate: [UInt8],
        isSecure: Bool,
        _ change: (inout LocalSendWishes) -> Void
    ) throws -> GivingBench {
        let identity = try LocalSendIdentity.load(for: example.store)
        let finder = try LocalSendFinder(
            identity,
            alias: "Carla",
            store: example.store,
            person: example.person,
            networks: { [] },
            register: { _, _ in nil }
        )
        finder.state.withLock { $0.networks = LocalNetwork.loopback() }
        let fingerprint = LocalSendFingerprint(certificate: certificate)
        let device = LocalSendDevice(
            alias: "Anna",
            kind: .mobile,
            fingerprint: fingerprint,
            port: UInt16(clamping: port),
            scheme: isSecure ? .https : .http
        )
        _ = finder.registered(device.json(), from: "127.0.0.1", certificate: isSecure ? certificate : nil)
        var wishes = LocalSendWishes()
        wishes.asks = true
        change(&wishes)
        return GivingBench(
            person: example.person,
            files: example.files,
            giver: PhoneGiver(of: example.files, wishes, to: finder, as: try WebIdentity(pem: identity.pem)),
            finder: finder,
            phone: try #require(finder.phones.first),
            regions: example.files.sent.map(\.region)
        )
    }

    static func configuration(_ phone: ReceivingPhone, _ isSecure: Bool) -> WebServer.Configuration {
        var configuration = WebServer.Configuration()
        (configuration.isForOwnUser, configuration.requestTime) = (false, .patience)
        configuration.writeTime = .patience
        // A phone that has not answered yet hears a stop.
        (configuration.maximumUploads, configuration.maximumUploadsPerClient) = (64, 64)
        if isSecure { configuration.security = WebServerSecurity(phone.identity, asksForCertificate: true) }
        return configuration
    }

    /// Sends a file of the first region.
    func give(_ kind: DownloadKind = .gpx, number: Int = 1, isWanted: Bool = false) async -> LocalSendEnd? {
        let choice = PhoneChoice(phone, regions[0].id, kind)
        return await giver.give(PhoneDesk.Order(number: number, choice: choice, isWanted: isWanted))
    }

    /// What was told of a transfer, in order.
    func told(_ number: Int = 1) -> [LocalSendTransfer] {
        person.told.compactMap { happening in
            guard case .phones(.localSend(.sending(let transfer))) = happening, transfer.number == number else {
                return nil
            }
            return transfer
        }
    }
}
