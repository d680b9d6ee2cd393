import Foundation
import PeerTestSupport
import Testing

/// A phone that has LocalSend: `localsendd`, a program of other people, on a host of its own.
///
/// What its screen would show is read from its events, and what its person taps are commands.
struct LocalSendPhone: Sendable {
    /// The name that others see.
    let name: String
    /// Where it is.
    let network: Laptop.Network
    /// The folder of what it has received.
    let folder: String
    /// The program.
    let daemon: ChildProcess

    private let socket: String
    private let events: ChildProcess

    /// Starts a phone, calls `body` and ends the phone.
    ///
    /// - Parameters:
    ///   - name: The name that others see.
    ///   - network: The host that it is on.
    ///   - directory: Where it gets a folder of its own.
    ///   - isEncrypted: Whether it speaks HTTPS.
    ///   - pin: The PIN that it asks senders for.
    ///   - body: Uses the phone.
    static func with<Result>(
        _ name: String,
        on network: Laptop.Network,
        in directory: TemporaryDirectory,
        isEncrypted: Bool = true,
        pin: String? = nil,
        _ body: (LocalSendPhone) async throws -> Result
    ) async throws -> Result {
        let home = directory.path("phone-" + UUID().uuidString.prefix(8))
        let (folder, socket) = (home + "/received", home + "/socket")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await network.shell("ip route replace 224.0.0.0/4 dev lan0")
        let options =
            ["--socket", socket, "--alias", name, "--device-type", "mobile", "--download-dir", folder]
            + [isEncrypted ? "--encryption" : "--no-encryption"] + (pin.map { ["--pin", $0] } ?? [])
        return try await network.runPython("localsendd", options, home: home) { daemon in
            try await daemon.waitForErrorOutput { $0.contains("localsendd: alias=") }
            let watching = ["-u", "-m", "localsendd.cli", "--socket", socket, "watch", "--json"]
            return try await ChildProcess.with(
                PhonePrograms.python,
                watching,
                environment: PhonePrograms.environment(home: home)
            ) { events in
                try await events.waitForOutput { $0.contains(#""type": "hello""#) || $0.contains(#""type": "state""#) }
                return try await body(
                    LocalSendPhone(
                        name: name,
                        network: network,
                        folder: folder,
                        daemon: daemon,
                        socket: socket,
                        events: events
                    )
                )
            }
        }
    }

    /// The files that it has received, with their sizes.
    var files: [String: Int] {
        get throws {
            let manager = FileManager.default
            return try manager.contentsOfDirectory(atPath: folder).reduce(into: [:]) { found, file in
                found[file] = try manager.attributesOfItem(atPath: folder + "/" + file)[.size] as? Int
            }
        }
    }

    /// Gives a command, and returns how it ended.
    @discardableResult
    func command(_ arguments: String...) async throws -> Ending { try await command(arguments) }

    private func command(_ arguments: [String]) async throws -> Ending {
        let all = ["-m", "localsendd.cli", "--socket", socket] + arguments
        return try await ChildProcess.with(
            PhonePrograms.python,
            all,
            environment: PhonePrograms.environment(home: folder)
        ) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
    }

    /// What is on the screen now.
    func state() async throws -> JSONValue {
        let ending = try await command("status", "--json")
        try #require(ending.code == 0, "\(ending)")
        return try JSONValue(parsing: ending.output.joined())
    }

    /// The number of the state that is shown now, to wait for a later one.
    func moment() async throws -> Int { try #require(try await state()["seq"]?.int) }

    /// Waits until the screen shows something, later than at a moment.
    @discardableResult
    func state(
        after moment: Int = 0,
        where condition: @Sendable (JSONValue) -> Bool
    ) async throws -> JSONValue {
        for await line in events.outputs() {
            let event = try JSONValue(parsing: line)
            guard event.type == "state", let data = event["data"], data["seq"]?.int ?? 0 > moment else { continue }
            if condition(data) { return data }
        }
        throw ChildProcess.Failure(description: "\(name) ended without what was expected:\n\(daemon.errorLines)")
    }

    /// Waits until another device is in its list, and returns what the list says of it.
    @discardableResult
    func finds(_ device: String) async throws -> JSONValue {
        let state = try await state { $0.devices.contains { $0["alias"]?.string == device } }
        return try #require(state.devices.first { $0["alias"]?.string == device })
    }

    /// Waits until it asks its person, and returns the question.
    func question(after moment: Int = 0) async throws -> JSONValue {
        try #require(try await state(after: moment) { $0["incoming"] != .null }["incoming"])
    }

    /// Waits until it asks its person, who says yes or no; returns the question.
    @discardableResult
    func answer(_ yes: Bool, after moment: Int = 0) async throws -> JSONValue {
        let question = try await question(after: moment)
        let ending = try await command(yes ? "accept" : "reject", try #require(question["sessionId"]?.string))
        #expect(ending.code == 0, "\(ending)")
        return question
    }

    /// Waits until a part of what comes or goes has passed.
    func passes(_ bytes: Int, after moment: Int = 0) async throws {
        try await state(after: moment) { $0["active"]?["bytesDone"]?.int ?? 0 >= bytes }
    }

    /// Waits for the last word about what came or went; `kind` says what it is.
    func result(after moment: Int = 0) async throws -> JSONValue {
        try #require(try await state(after: moment) { $0["result"] != .null && $0["active"] == .null }["result"])
    }

    /// Begins to send files to a device, which is in its list.
    func send(_ files: [String], to device: String, pin: String? = nil) async throws {
        let ending = try await command(["send"] + files + ["--to", device] + (pin.map { ["--pin", $0] } ?? []))
        try #require(ending.code == 0, "\(ending)")
    }
}

extension JSONValue {
    /// The devices that a phone lists.
    fileprivate var devices: [JSONValue] { self["devices"]?.array ?? [] }
}
