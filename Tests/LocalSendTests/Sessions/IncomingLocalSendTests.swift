import PeerProtocol
import Testing

@testable import LocalSend

@Suite struct IncomingLocalSendTests {
    private static let now = Samples.start
    private static let digest = ContentDigest(hashing: Array("abc".utf8))

    private static func client(_ number: Int, at address: String? = nil) throws -> LocalSendClient {
        LocalSendClient(address ?? "10.0.0.\(number)", certificate: try Samples.device(number).fingerprint)
    }

    private static func offer(_ number: Int, _ sizes: UInt64..., sha256: ContentDigest? = nil) throws -> LocalSendOffer
    {
        let files = try sizes.enumerated().map { try Samples.file("\($0)", size: $1, sha256: sha256) }
        return LocalSendOffer(from: try Samples.device(number), files)
    }

    /// A machine with a session of each size, to which the person has said yes.
    private static func agreed(_ sizes: UInt64..., sha256: ContentDigest? = nil) throws -> IncomingLocalSend {
        var machine = IncomingLocalSend()
        let files = try sizes.enumerated().map { try Samples.file("\($0)", size: $1, sha256: sha256) }
        let offer = LocalSendOffer(from: try Samples.device(1), files)
        #expect(machine.prepare(offer, from: try client(1), as: "s", at: now) == .ask(replacing: nil))
        let tokens = Dictionary(uniqueKeysWithValues: files.map { ($0.id, "t\($0.id)") })
        #expect(machine.answered("s", tokens, at: now) == .agree(LocalSendAgreement(session: "s", tokens: tokens)))
        return machine
    }

    private static func begin(
        _ machine: inout IncomingLocalSend,
        _ file: String = "0",
        length: UInt64? = nil
    ) throws
        -> IncomingLocalSend.OnBegin
    { machine.begin("s", file, "t\(file)", from: try client(1), length: length, at: now) }

    @Test func filesComeAfterAYes() throws {
        var machine = try Self.agreed(3, 0, sha256: nil)
        #expect(try Self.begin(&machine) == .take(try Samples.file("0", size: 3)))
        #expect(machine.arrived("s", "0", 2, at: Self.now) == .proceed)
        #expect(machine.session("s")?.receptions?.map(\.byteCount) == [2, 0])
        #expect(machine.session("s")?.receptions?.map(\.state) == [.arriving, .waiting])
        #expect(machine.ended("s", "0", .complete(3, nil), at: Self.now) == .init(status: .ok))
        #expect(try Self.begin(&machine, "1", length: 0) == .take(try Samples.file("1", size: 0)))
        #expect(machine.ended("s", "1", .complete(0, nil), at: Self.now) == .init(status: .ok, ending: .complete))
        #expect(machine.all.isEmpty)
        #expect(try Self.begin(&machine) == .answer(.refused, nil))
    }

    @Test func aPersonPicksFiles() throws {
        var machine = IncomingLocalSend()
        _ = machine.prepare(try Self.offer(1, 1, 2, 3), from: try Self.client(1), as: "s", at: Self.now)
        // A file that was not offered is none.
        let answer = machine.answered("s", ["1": "t1", "7": "t7"], at: Self.now)
        #expect(answer == .agree(LocalSendAgreement(session: "s", tokens: ["1": "t1"])))
        #expect(try Self.begin(&machine, "0") == .answer(.refused, nil))
        #expect(try Self.begin(&machine, "7") == .answer(.refused, nil))
        #expect(try Self.begin(&machine, "1") == .take(try Samples.file("1", size: 2)))
        #expect(machine.ended("s", "1", .complete(2, nil), at: Self.now).ending == .complete)
    }

    @Test func nothingComesWithoutAYes() throws {
        var machine = IncomingLocalSend()
        #expect(
            try machine.prepare(Self.offer(1), from: Self.client(1), as: "s", at: Self.now) == .answer(.nothingNeeded)
        )
        #expect(machine.all.isEmpty)
        _ = machine.prepare(try Self.offer(1, 1), from: try Self.client(1), as: "s", at: Self.now)
        #expect(machine.session("s")?.isQuestion == true)
        #expect(try Self.begin(&machine) == .answer(.refused, nil))
        #expect(machine.answered("s", nil, at: Self.now) == .answer(.refused))
        #expect(machine.answered("s", ["0": "t0"], at: Self.now) == .answer(.refused))
        #expect(try Self.begin(&machine) == .answer(.refused, nil))
        // A text that was read.
        _ = machine.prepare(try Self.offer(1, 1), from: try Self.client(1), as: "s2", at: Self.now)
        #expect(machine.answered("s2", [:], at: Self.now) == .answer(.nothingNeeded))
        #expect(machine.all.isEmpty)
        // A second answer is none.
        var agreed = try Self.agreed(1)
        #expect(agreed.answered("s", ["0": "other"], at: Self.now) == .answer(.refused))
        #expect(try Self.begin(&agreed) == .take(try Samples.file("0", size: 1)))
    }

    @Test func aTokenIsGoodForItsFileSessionAddressAndCertificate() throws {
        let good = try Self.client(1)
        let cases: [(String, String, String, LocalSendClient)] = [
            ("s2", "0", "t0", good), ("s", "1", "t0", good), ("s", "0", "t1", good), ("s", "0", "", good),
            ("s", "0", "t", good),
            ("s", "0", "t00", good), ("s", "9", "t0", good),
            ("s", "0", "t0", LocalSendClient("10.0.0.2", certificate: good.certificate)),
            ("s", "0", "t0", LocalSendClient(good.address, certificate: nil)),
            ("s", "0", "t0", LocalSendClient(good.address, certificate: try Samples.device(2).fingerprint)),
            ("s", "0", "t0", LocalSendClient("10.0.0.1%eth0", certificate: good.certificate)),
        ]
        var machine = try Self.agreed(1, 1)
        for (session, file, token, client) in cases {
            #expect(
                machine.begin(session, file, token, from: client, length: 1, at: Self.now) == .answer(.refused, nil)
            )
        }
        #expect(machine.session("s")?.receptions?.map(\.state) == [.waiting, .waiting])
        #expect(try Self.begin(&machine, length: 1) == .take(try Samples.file("0", size: 1)))
    }

    @Test func aFileComesOnceAtATimeAndOnce() throws {
        var machine = try Self.agreed(3, 1)
        _ = try Self.begin(&machine)
        #expect(try Self.begin(&machine) == .answer(.busy, nil))
        #expect(machine.arrived("s", "0", 2, at: Self.now) == .proceed)
        #expect(machine.ended("s", "0", .interrupted, at: Self.now) == .init(status: .failed))
        #expect(try Self.begin(&machine) == .take(try Samples.file("0", size: 3)))
        #expect(machine.session("s")?.receptions?.first?.byteCount == 0)
        #expect(machine.ended("s", "0", .complete(3, nil), at: Self.now).status == .ok)
        // The answer may have been lost.
        #expect(try Self.begin(&machine) == .answer(.ok, nil))
        #expect(machine.ended("s", "0", .complete(3, nil), at: Self.now) == .init(status: .refused))
    }

    @Test func liesAboutSizesEndTheFile() throws {
        for length in [0, 2, 4, UInt64.max] {
            var machine = try Self.agreed(3, 1)
            #expect(try Self.begin(&machine, length: length) == .answer(.invalid, nil))
            #expect(try Self.begin(&machine, length: 3) == .answer(.refused, nil))
            // With the last file the session ends.
            #expect(try Self.begin(&machine, "1", length: length) == .answer(.invalid, .incomplete))
        }
        for count in [0, 2, 4, UInt64.max] {
            var machine = try Self.agreed(3)
            _ = try Self.begin(&machine)
            #expect(machine.arrived("s", "0", count, at: Self.now) == (count > 3 ? .stop : .proceed))
            #expect(
                machine.ended("s", "0", .complete(count, nil), at: Self.now)
                    == .init(status: .invalid, ending: .incomplete)
            )
        }
    }

    @Test func whatIsDamagedMayComeAgainThreeTimesInAll() throws {
        var machine = try Self.agreed(3, 1, sha256: Self.digest)
        let wrong = ContentDigest(hashing: [])
        for attempt in 1...3 {
            _ = try Self.begin(&machine)
            let digest = attempt == 2 ? nil : wrong
            #expect(machine.ended("s", "0", .complete(3, digest), at: Self.now) == .init(status: .wrongDigest))
            #expect(machine.session("s")?.receptions?[0].state == (attempt < 3 ? .waiting : .failed))
        }
        #expect(try Self.begin(&machine) == .answer(.refused, nil))
        _ = try Self.begin(&machine, "1")
        #expect(
            machine.ended("s", "1", .complete(1, Self.digest), at: Self.now) == .init(status: .ok, ending: .incomplete)
        )
    }

    @Test func aFileBeginsABoundedNumberOfTimes() throws {
        var machine = try Self.agreed(3)
        for beginning in 1...LocalSendLimits.beginnings {
            #expect(try Self.begin(&machine) == .take(try Samples.file("0", size: 3)))
            let ending: IncomingLocalSend.Ending? = beginning == LocalSendLimits.beginnings ? .incomplete : nil
            #expect(machine.ended("s", "0", .interrupted, at: Self.now) == .init(status: .failed, ending: ending))
        }
    }

    @Test func whatCannotBeKeptIsNotTriedAgain() throws {
        var machine = try Self.agreed(3)
        _ = try Self.begin(&machine)
        #expect(machine.ended("s", "0", .notKept, at: Self.now) == .init(status: .failed, ending: .incomplete))
    }

    @Test func theNameInTheListIsThatOfTheCertificate() throws {
        var machine = IncomingLocalSend()
        let other = LocalSendClient("10.0.0.1", certificate: try Samples.device(2).fingerprint)
        #expect(machine.prepare(try Self.offer(1, 1), from: other, as: "s", at: Self.now) == .answer(.refused))
        // LocalSend until 1.15 and localsend-cli show none.
        let bare = LocalSendClient("10.0.0.1", certificate: nil)
        #expect(machine.prepare(try Self.offer(1, 1), from: bare, as: "s", at: Self.now) == .ask(replacing: nil))
        _ = machine.answered("s", ["0": "t0"], at: Self.now)
        #expect(
            machine.begin("s", "0", "t0", from: bare, length: nil, at: Self.now)
                == .take(try Samples.file("0", size: 1))
        )
    }
}
