import Foundation
import PeerTestSupport
import Testing

/// A laptop with the example region, and phones that have LocalSend, each on a host of its own.
struct PhoneHosts: Sendable {
    /// The laptop, on the host with the address `10.77.0.1`.
    let laptop: Laptop
    /// The hosts of the phones.
    let phones: [Laptop.Network]
    /// The folder of the test.
    let directory: TemporaryDirectory
    private let pair: TwoHosts?

    /// Makes a laptop and a phone on one cable.
    static func withOne(
        rate: String? = nil,
        _ body: (PhoneHosts) async throws -> Void
    ) async throws {
        try await TwoHosts.with(.v4, rate: rate, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let laptop = Laptop(network: .host(hosts, .a), store: directory.path("laptop"))
                try await Example.put(on: laptop)
                try await body(
                    PhoneHosts(laptop: laptop, phones: [.host(hosts, .b)], directory: directory, pair: hosts)
                )
            }
        }
    }

    /// Makes a laptop and several phones.
    static func with(
        _ count: Int,
        rate: String? = nil,
        _ body: (PhoneHosts) async throws -> Void
    ) async throws {
        try await ManyHosts.withHosts(count: count + 1, net: .v4, rate: rate, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let laptop = Laptop(network: .member(hosts[0]), store: directory.path("laptop"))
                try await Example.put(on: laptop)
                let phones = hosts.all.dropFirst().map { Laptop.Network.member($0) }
                try await body(PhoneHosts(laptop: laptop, phones: phones, directory: directory, pair: nil))
            }
        }
    }

    /// Starts a phone, the first one unless told otherwise.
    @discardableResult
    func phone<Result>(
        _ name: String = "Phone of Anna",
        at index: Int = 0,
        isEncrypted: Bool = true,
        pin: String? = nil,
        _ body: (LocalSendPhone) async throws -> Result
    ) async throws -> Result {
        try await LocalSendPhone.with(
            name,
            on: phones[index],
            in: directory,
            isEncrypted: isEncrypted,
            pin: pin,
            body
        )
    }

    /// Another device, at the host of the first phone.
    func command() async throws -> LocalSendCommand {
        try await LocalSendCommand(on: phones[0], in: directory)
    }

    /// Sends a region of the laptop to a phone, and ends then.
    func send(
        _ region: String = Example.name,
        to phone: String,
        _ options: String...
    ) async throws -> Ending {
        let command = ["send", region, "--phone", phone, "--once", "--yes", "--format", "json"]
        return try await laptop.start(command + options) { await $0.ending() }
    }

    /// Makes a map of so many megabytes that do not compress, and adds it to the laptop.
    func addMap(megabytes: Int, name: String = "Nordkette") async throws {
        let path = directory.path(name + ".mbtiles")
        try MapMaker.make(path, name: name, tiles: 8, tileLength: megabytes * 125_000)
        try await laptop.must("import", path)
    }

    /// Writes a file in the folder of the test, and returns its path.
    func file(_ name: String, _ content: Data) throws -> String {
        let path = directory.path(name)
        try content.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Pulls the only cable.
    func cut() async throws { try await pair?.cut() }

    /// Puts the only cable back.
    func join() async throws { try await pair?.join() }

    /// Lets no announcement of LocalSend leave a host, or none come to it.
    func loseMulticast(on host: Laptop.Network, _ direction: String) async throws {
        try await host.shell(
            """
            nft add table inet quiet
            nft add chain inet quiet c '{ type filter hook \(direction) priority 0; policy accept; }'
            nft add rule inet quiet c ip daddr 224.0.0.0/4 udp dport 53317 drop
            """
        )
    }
}

extension Ending {
    /// What ended last without success; with JSON the last line of standard error, or else the last of a type.
    var lastWords: String { (output.suffix(3) + errorOutput.suffix(3)).joined(separator: "\n") }
}
