import LocalSend
import PeerTestSupport
import Testing

/// Floods of devices and of what they say.
@Suite struct LocalSendCrowdTests {
    private static let now = Samples.start

    private static func directory(confirmed: [Int] = []) throws -> LocalSendDirectory {
        LocalSendDirectory(
            own: try Samples.fingerprint(Samples.laptop),
            confirmed: Set(try confirmed.map { try Samples.device($0).fingerprint })
        )
    }

    @Test func anAddressIsAnsweredOnceASecond() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1)
        // LocalSend's three announcements: after 0.1 s, 0.6 s and 2.6 s.
        let answers = [100, 600, 2600].map { milliseconds in
            directory.heard(device.announced(), from: "10.0.0.1", at: Self.now + .milliseconds(milliseconds)) != .none
        }
        #expect(answers == [true, false, true])
        // A second later to the very moment.
        let later = directory.heard(device.announced(), from: "10.0.0.1", at: Self.now + .milliseconds(3600))
        #expect(later != .none)
        // Another name does not help.
        let other = try Samples.device(2)
        #expect(directory.heard(other.announced(), from: "10.0.0.1", at: Self.now + .milliseconds(3700)) == .none)
        #expect(directory.heard(other.announced(), from: "10.0.0.2", at: Self.now + .milliseconds(3700)) != .none)
    }

    @Test func answersAreBoundedWhateverTheAddresses() throws {
        var directory = try Self.directory()
        let device = try Samples.device(1)
        var count = 0
        for number in 0..<100_000 {
            // Ten seconds of 10,000 announcements, each from another address.
            let now = Self.now + .microseconds(100 * number)
            if directory.heard(device.announced(), from: "10.\(number)", at: now) != .none { count += 1 }
        }
        #expect((190...220).contains(count), "\(count)")
    }

    @Test func datagramsAreBoundedByAddressAndInAll() throws {
        var directory = try Self.directory()
        var read: [String: Int] = [:]
        for number in 0..<10_000 {
            let address = number.isMultiple(of: 2) ? "10.0.0.66" : "10.0.\(number % 100).1"
            if directory.admitsDatagram(from: address, at: Self.now + .microseconds(100 * number)) {
                read[address, default: 0] += 1
            }
        }
        #expect(read["10.0.0.66"] == LocalSendLimits.datagramsOfAddressPerSecond)
        #expect(read.values.reduce(0, +) == LocalSendLimits.datagramsPerSecond)
        let isAdmittedLater = directory.admitsDatagram(from: "10.0.0.66", at: Self.now + .seconds(1))
        #expect(isAdmittedLater)
    }

    @Test func registrationsAreBoundedByAddressAndInAll() throws {
        var directory = try Self.directory()
        var read: [String: Int] = [:]
        for number in 0..<1000 {
            let address = number.isMultiple(of: 2) ? "10.0.0.66" : "10.0.\(number % 100).1"
            if directory.admitsRegistration(from: address, at: Self.now + .microseconds(900 * number)) {
                read[address, default: 0] += 1
            }
        }
        #expect(read["10.0.0.66"] == LocalSendLimits.registrationsOfAddressPerSecond)
        #expect(read.values.reduce(0, +) == LocalSendLimits.registrationsPerSecond)
        let isAdmittedLater = directory.admitsRegistration(from: "10.0.0.66", at: Self.now + .seconds(1))
        #expect(isAdmittedLater)
    }

    /// Asking addresses at which nobody is takes the time of those where somebody is.
    @Test func anAddressThatWasSilentIsNotAskedAgainForAWhile() throws {
        var directory = try Self.directory()
        let (device, other) = (try Samples.device(1), try Samples.device(2))
        // A machine that refuses at once may be one whose LocalSend is just starting.
        directory.failed(at: "10.0.0.1", since: Self.now, at: Self.now + .milliseconds(999))
        #expect(directory.heard(device.announced(), from: "10.0.0.1", at: Self.now + .seconds(1)) != .none)
        let failure = Self.now + .seconds(3)
        directory.failed(at: "10.0.0.1", since: Self.now + .seconds(1), at: failure)
        for seconds in [1, 30, 59] {
            let now = failure + .seconds(seconds)
            #expect(directory.heard(device.announced(), from: "10.0.0.1", at: now) == .none)
            #expect(directory.heard(other.announced(), from: "10.0.0.1", at: now) == .none)
            #expect(directory.heard(device.announced(), from: "10.0.0.2", at: now) != .none)
        }
        // Who registers from there is there.
        let known = directory.registered(device, at: "10.0.0.1", provenBy: nil, at: failure + .seconds(59))
        #expect(known != .none)
        #expect(directory.heard(device.announced(), from: "10.0.0.1", at: failure + .seconds(60)) != .none)
    }

    @Test func silentAddressesAreBounded() throws {
        var directory = try Self.directory()
        let end = Self.now + .seconds(2)
        for number in 0...LocalSendLimits.silentAddressCount {
            directory.failed(at: "10.\(number)", since: Self.now, at: end)
        }
        let device = try Samples.device(1)
        let last = LocalSendLimits.silentAddressCount
        #expect(directory.heard(device.announced(), from: "10.\(last - 1)", at: end) == .none)
        #expect(directory.heard(device.announced(), from: "10.\(last)", at: end) != .none)
        // When they are forgotten, there is room.
        let later = end + LocalSendLimits.silentTime
        directory.failed(at: "10.\(last)", since: end, at: later)
        #expect(directory.heard(device.announced(), from: "10.\(last)", at: later) == .none)
        #expect(directory.heard(device.announced(), from: "10.0", at: later) != .none)
    }

    /// A datagram must not make this machine talk to other services.
    @Test func withoutEncryptionADatagramLeadsToTheUsualPortOnly() throws {
        var directory = try Self.directory()
        for (number, port) in [UInt16(8080), 53316, 53318].enumerated() {
            let device = try Samples.device(number, .http, port: port)
            #expect(directory.heard(device.announced(), from: "10.0.0.\(number)", at: Self.now) == .none)
        }
        let usual = try Samples.device(7, .http)
        #expect(directory.heard(usual.announced(), from: "10.0.0.7", at: Self.now) != .none)
        let secure = try Samples.device(8, port: 8080)
        #expect(directory.heard(secure.announced(), from: "10.0.0.8", at: Self.now) != .none)
    }

    @Test func devicesOfAnAddressAreBounded() throws {
        var directory = try Self.directory(confirmed: [50])
        for number in 0..<10 {
            let device = try Samples.device(number)
            _ = directory.registered(device, at: "10.0.0.66", provenBy: device.fingerprint, at: Self.now)
        }
        #expect(directory.neighbours.map(\.device.alias) == (0..<4).map { "Phone \($0)" })
        // One that the person knows finds room.
        let known = try Samples.device(50)
        _ = directory.registered(known, at: "10.0.0.66", provenBy: known.fingerprint, at: Self.now)
        #expect(directory.neighbours.map(\.device.alias) == ["Phone 0", "Phone 1", "Phone 2", "Phone 50"])
        // The others are as free as before.
        let other = try Samples.device(60)
        _ = directory.registered(other, at: "10.0.0.1", provenBy: other.fingerprint, at: Self.now)
        #expect(directory.neighbours.count == 5)
    }

    @Test func devicesAreBounded() throws {
        var directory = try Self.directory(confirmed: [5000, 5001])
        for number in 0..<300 {
            _ = directory.registered(
                try Samples.device(number, .http),
                at: "10.1.\(number)",
                provenBy: nil,
                at: Self.now
            )
        }
        #expect(directory.neighbours.count == LocalSendLimits.deviceCount)
        #expect(directory.neighbours.last?.device.alias == "Phone 63")
        // Who proves itself takes the place of who does not, and came last.
        let first = try Samples.device(1000)
        _ = directory.registered(first, at: "10.2.1000", provenBy: first.fingerprint, at: Self.now)
        #expect(directory.neighbours.map(\.device.alias) == (0..<63).map { "Phone \($0)" } + ["Phone 1000"])
        for number in 1001..<1100 {
            let device = try Samples.device(number)
            _ = directory.registered(device, at: "10.2.\(number)", provenBy: device.fingerprint, at: Self.now)
        }
        #expect(directory.neighbours.count == LocalSendLimits.deviceCount)
        #expect(directory.neighbours.map(\.device.alias) == (1000..<1064).map { "Phone \($0)" })
        for number in [5000, 5001, 5002] {
            let device = try Samples.device(number)
            _ = directory.registered(device, at: "10.3.\(number)", provenBy: device.fingerprint, at: Self.now)
        }
        let names = directory.neighbours.map(\.device.alias)
        #expect(names == (1000..<1062).map { "Phone \($0)" } + ["Phone 5000", "Phone 5001"])
    }

    /// Whatever comes in whatever order: no claim is proven, and nothing grows.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func anyOrderKeepsTheRules(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var directory = try Self.directory(confirmed: [0, 1])
        let devices = try (0..<12).map { try Samples.device($0, $0.isMultiple(of: 3) ? .http : .https) }
        var proven: Set<LocalSendFingerprint> = []
        var (now, lastNumber) = (Self.now, 0)
        for step in 0..<1000 {
            now += .milliseconds(Int.random(in: 0..<500, using: &random))
            var device = devices[Int.random(in: 0..<devices.count, using: &random)]
            device.port = UInt16.random(in: 1...3, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 { device.scheme = .http }
            let address = "10.0.0.\(Int.random(in: 0..<6, using: &random))"
            let before = directory.neighbours
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                _ = directory.heard(device.announced(asks: Bool.random(using: &random)), from: address, at: now)
                #expect(directory.neighbours == before, "seed \(seed), step \(step)")
            case 3...4:
                _ = directory.registered(device, at: address, provenBy: device.fingerprint, at: now)
                if device.scheme == .https { proven.insert(device.fingerprint) }
            case 5...6:
                let wrong = Bool.random(using: &random) ? devices[3].fingerprint : nil
                if wrong == device.fingerprint { continue }
                _ = directory.registered(device, at: address, provenBy: wrong, at: now)
                #expect(
                    directory.neighbours.filter(\.isProven) == before.filter(\.isProven),
                    "seed \(seed), step \(step)"
                )
            default:
                if let neighbour = before.randomElement(using: &random) {
                    directory.lost(neighbour.number, at: neighbour.address)
                }
                directory.tick(at: now)
            }
            let after = directory.neighbours
            #expect(after.filter(\.isProven).allSatisfy { proven.contains($0.device.fingerprint) })
            #expect(Set(after.filter(\.isProven).map(\.device.fingerprint)).count == after.count(where: \.isProven))
            #expect(
                after.map(\.number) == after.map(\.number).sorted() && Set(after.map(\.number)).count == after.count
            )
            for new in after where !before.contains(where: { $0.number == new.number }) {
                #expect(new.number > lastNumber)
                lastNumber = max(lastNumber, new.number)
            }
            #expect(Dictionary(grouping: after, by: \.address).values.allSatisfy { $0.count <= 4 })
        }
        #expect(lastNumber > 10)
    }
}
