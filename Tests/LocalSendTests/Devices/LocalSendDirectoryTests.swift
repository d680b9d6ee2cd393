import Testing

@testable import LocalSend

@Suite struct LocalSendDirectoryTests {
    private static let now = Samples.start

    private static func directory(confirmed: [Int] = []) throws -> LocalSendDirectory {
        LocalSendDirectory(
            own: try Samples.fingerprint(Samples.laptop),
            confirmed: Set(try confirmed.map { try Samples.device($0).fingerprint })
        )
    }

    private static func place(_ device: LocalSendDevice, _ address: String) -> LocalSendDirectory.OnDevice {
        let expected = device.scheme == .https ? device.fingerprint : nil
        return .register(.init(address: address, port: device.port, scheme: device.scheme, expected: expected))
    }

    @Test func anAnnouncementListsNothing() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1)
        #expect(directory.heard(device.announced(), from: "10.0.0.1", at: Self.now) == Self.place(device, "10.0.0.1"))
        #expect(directory.neighbours.isEmpty)
        #expect(directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: Self.now) == .none)
        #expect(directory.neighbours == [LocalSendNeighbour(device, at: "10.0.0.1", isProven: true, number: 1)])
    }

    @Test func thisMachineDoesNotHearItself() throws {
        var directory = try Self.directory()
        for scheme in LocalSendDevice.Scheme.allCases {
            for text in [Samples.laptop, Samples.laptop.lowercased()] {
                let own = LocalSendDevice(
                    alias: "I",
                    fingerprint: try Samples.fingerprint(text),
                    port: 1,
                    scheme: scheme
                )
                #expect(directory.heard(own.announced(), from: "10.0.0.1", at: Self.now) == .none)
                #expect(directory.registered(own, at: "10.0.0.1", provenBy: own.fingerprint, at: Self.now) == .none)
                #expect(directory.registered(own, at: "10.0.0.1", provenBy: nil, at: Self.now) == .none)
            }
        }
        #expect(directory.neighbours.isEmpty)
    }

    @Test func aCertificateOfAnotherIsNoProof() throws {
        var directory = try Self.directory()
        let (device, other) = (try Samples.device(1), try Samples.device(2))
        #expect(directory.registered(device, at: "10.0.0.1", provenBy: other.fingerprint, at: Self.now) == .none)
        #expect(directory.neighbours.isEmpty)
        // A device with encryption has the digest of a certificate for a fingerprint.
        var odd = device
        odd.fingerprint = try Samples.fingerprint("random")
        #expect(directory.heard(odd.announced(), from: "10.0.0.1", at: Self.now) == .none)
        #expect(directory.registered(odd, at: "10.0.0.1", provenBy: nil, at: Self.now) == .none)
    }

    /// LocalSend until 1.15 registers without a certificate.
    @Test func aDeviceThatShowsNoCertificateIsAskedForIt() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1)
        #expect(
            directory.registered(device, at: "10.0.0.1", provenBy: nil, at: Self.now) == Self.place(device, "10.0.0.1")
        )
        #expect(directory.neighbours.isEmpty)
        _ = directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: Self.now)
        #expect(directory.registered(device, at: "10.0.0.1", provenBy: nil, at: Self.now + .seconds(5)) == .none)
        #expect(directory.neighbours.count == 1)
    }

    /// CVE-2025-54792: a claim takes the place of a device.
    @Test(arguments: LocalSendDevice.Scheme.allCases, [true, false])
    func noClaimTakesThePlaceOfAProvenDevice(_ scheme: LocalSendDevice.Scheme, _ isConfirmed: Bool) throws {
        var directory = try Self.directory(confirmed: isConfirmed ? [1] : [])
        let device = try Samples.device(1, alias: "Anna")
        _ = directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: Self.now)
        let before = directory.neighbours
        var claim = device
        (claim.alias, claim.port, claim.scheme) = ("Mallory", 4444, scheme)
        for (number, address) in ["10.0.0.1", "10.0.0.66"].enumerated() {
            let now = Self.now + .seconds(2 * number)
            let asked = directory.heard(claim.announced(), from: address, at: now)
            // It is asked for the certificate, or not at all.
            #expect(asked == (scheme == .https ? Self.place(claim, address) : .none))
            _ = directory.heard(claim.announced(asks: false), from: address, at: now)
            _ = directory.registered(claim, at: address, provenBy: nil, at: now)
            _ = directory.registered(claim, at: address, provenBy: try Samples.fingerprint(Samples.phone), at: now)
            #expect(directory.neighbours == before)
        }
        // The same address and port, and another fingerprint.
        let other = LocalSendDevice(
            alias: "Anna",
            fingerprint: try Samples.fingerprint("x"),
            port: device.port,
            scheme: .http
        )
        _ = directory.registered(other, at: "10.0.0.1", provenBy: nil, at: Self.now)
        #expect(directory.neighbours.first == before.first)
        #expect(directory.neighbours.count == 2 && directory.neighbours[1].isProven == false)
    }

    @Test func aConfirmedDeviceIsNotMetWithoutEncryption() throws {
        var directory = try Self.directory(confirmed: [1])
        let device = try Samples.device(1, .http)
        #expect(directory.heard(device.announced(), from: "10.0.0.1", at: Self.now) == .none)
        #expect(directory.registered(device, at: "10.0.0.1", provenBy: nil, at: Self.now) == .none)
        #expect(directory.neighbours.isEmpty)
        // Nor one that is confirmed later.
        let other = try Samples.device(2, .http)
        directory.confirm(other.fingerprint)
        #expect(directory.heard(other.announced(), from: "10.0.0.1", at: Self.now) == .none)
    }

    @Test func aProofTakesThePlaceOfAClaim() throws {
        var directory = try Self.directory()
        let (claim, device) = (try Samples.device(1, .http, alias: "Mallory"), try Samples.device(1, alias: "Anna"))
        _ = directory.registered(claim, at: "10.0.0.66", provenBy: nil, at: Self.now)
        #expect(directory.neighbours.map(\.isProven) == [false])
        _ = directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: Self.now)
        #expect(directory.neighbours == [LocalSendNeighbour(device, at: "10.0.0.1", isProven: true, number: 2)])
    }

    @Test func aProvenDeviceCanChangeItsNameAndMove() throws {
        var directory = try Self.directory()
        var device = try Samples.device(1, alias: "Anna")
        _ = directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: Self.now)
        (device.alias, device.port) = ("Anne", 53318)
        _ = directory.registered(device, at: "fe80::1%2", provenBy: device.fingerprint, at: Self.now + .seconds(60))
        // It keeps its number, and the address that was heard first.
        #expect(directory.neighbours == [LocalSendNeighbour(device, at: "10.0.0.1", isProven: true, number: 1)])
        directory.tick(at: Self.now + .seconds(101))
        #expect(directory.neighbours == [LocalSendNeighbour(device, at: "fe80::1%2", isProven: true, number: 1)])
        directory.lost(1, at: "10.0.0.1")
        #expect(directory.neighbours.count == 1)
        directory.lost(1, at: "fe80::1%2")
        #expect(directory.neighbours.isEmpty)
        // Who comes back has a new number: a person may be typing the old one.
        _ = directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: Self.now)
        #expect(directory.neighbours.map(\.number) == [2])
    }

    @Test func addressesOfADeviceAreBounded() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1)
        for number in 0..<100 {
            _ = directory.registered(device, at: "10.0.0.\(number)", provenBy: device.fingerprint, at: Self.now)
        }
        for number in 0..<LocalSendLimits.addressesOfDevice {
            #expect(directory.neighbours.map(\.address) == ["10.0.0.\(number)"])
            directory.lost(1, at: "10.0.0.\(number)")
        }
        #expect(directory.neighbours.isEmpty)
    }

    @Test func aDeviceWithoutEncryptionIsKnownByItsAddress() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1, .http)
        #expect(directory.heard(device.announced(), from: "10.0.0.1", at: Self.now) == Self.place(device, "10.0.0.1"))
        _ = directory.registered(device, at: "10.0.0.1", provenBy: nil, at: Self.now)
        _ = directory.registered(device, at: "10.0.0.2", provenBy: nil, at: Self.now)
        #expect(directory.neighbours.map(\.address) == ["10.0.0.1", "10.0.0.2"])
        // It has begun anew, with a new random fingerprint.
        var again = device
        again.fingerprint = try Samples.fingerprint("new")
        _ = directory.registered(again, at: "10.0.0.1", provenBy: nil, at: Self.now)
        #expect(directory.neighbours.map(\.number) == [2, 3])
        // A certificate in the connection in which it registers is not that of its port.
        _ = directory.registered(again, at: "10.0.0.1", provenBy: again.fingerprint, at: Self.now)
        #expect(directory.neighbours.allSatisfy { !$0.isProven })
    }

    @Test func whoIsNotHeardIsNoLongerThere() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1)
        func hear(_ now: ContinuousClock.Instant) {
            _ = directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: now)
        }
        hear(Self.now)
        hear(Self.now + .seconds(90))
        directory.tick(at: Self.now + .seconds(190))
        #expect(directory.neighbours.count == 1)
        // Datagrams keep nobody.
        _ = directory.heard(device.announced(), from: "10.0.0.1", at: Self.now + .seconds(190))
        directory.tick(at: Self.now + .seconds(190.5))
        #expect(directory.neighbours.isEmpty)
    }

    @Test func aKnownDeviceIsAnsweredIfItAsks() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1)
        _ = directory.registered(device, at: "10.0.0.1", provenBy: device.fingerprint, at: Self.now)
        #expect(directory.heard(device.announced(asks: false), from: "10.0.0.1", at: Self.now) == .none)
        #expect(directory.heard(device.announced(), from: "10.0.0.1", at: Self.now) == Self.place(device, "10.0.0.1"))
        // Elsewhere it must prove itself.
        let elsewhere = directory.heard(device.announced(asks: false), from: "10.0.0.2", at: Self.now)
        #expect(elsewhere == Self.place(device, "10.0.0.2"))
    }
}
