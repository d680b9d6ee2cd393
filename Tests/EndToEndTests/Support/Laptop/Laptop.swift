import Foundation
import PeerTestSupport
import Testing

/// A machine with a store of its own, on which the program is run.
struct Laptop: Sendable {
    /// In which network it is.
    enum Network: Sendable {
        /// That of the tests, of which only loopback is used; there is no discovery in it.
        case own
        /// A network with nothing but loopback, and discovery in it.
        case loopback(PrivateAvahi)
        /// A network with a cable, NetworkManager and no discovery.
        case managed(PrivateNetworkManager)
        /// One of two hosts on a cable.
        case host(TwoHosts, TwoHosts.Side)
        /// One of several hosts, each with a cable to the others.
        case member(ManyHosts.Host)

        /// The command line that runs a program on a host; nil if it is not on a host.
        func command(_ executable: String, _ arguments: [String]) -> [String]? {
            switch self {
            case .own, .loopback, .managed: nil
            case .host(let hosts, let side): hosts.command(on: side, executable, arguments)
            case .member(let host): host.command(executable, arguments)
            }
        }
    }

    var network = Network.own
    var store: String
    /// The name that other machines show.
    var name: String { "Laptop \(store.split(separator: "/").last ?? "")" }
    /// Whether the program has the privileges of the user who runs the tests; on a hiker's laptop it has none.
    var hasPrivileges = true

    /// Runs the program to its end, with results in JSON.
    func run(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Ending {
        try await start(arguments + ["--format", "json"], environment: environment) { await $0.ending() }
    }

    /// Runs the program to its end, with results in words.
    func tell(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Ending {
        try await start(arguments, environment: environment) { await $0.ending() }
    }

    /// Runs what must work.
    @discardableResult
    func must(_ arguments: String..., location: SourceLocation = #_sourceLocation) async throws -> Ending {
        let ending = try await start(arguments + ["--format", "json"]) { await $0.ending() }
        try #require(ending.code == 0, "\(ending)", sourceLocation: location)
        return ending
    }

    /// Starts the program, calls `body` and kills the program if it still runs then.
    func start<Result>(
        _ arguments: [String],
        environment: [String: String?] = [:],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let arguments = asInTests(arguments)
        var environment = environment
        environment["HIKESHARE_STORE"] = .some(environment["HIKESHARE_STORE"] ?? store)
        environment["SWIFT_BACKTRACE"] = .some("enable=no")
        let watched: (ChildProcess) async throws -> Result = { child in
            try await Self.impatiently(child) { try await body(child) }
        }
        switch network {
        case .own where !hasPrivileges:
            let command = ["--bounding-set=-all", "--inh-caps=-all", Place.program] + arguments
            return try await ChildProcess.with("/usr/bin/setpriv", command, environment: environment, watched)
        case .own:
            return try await ChildProcess.with(Place.program, arguments, environment: environment, watched)
        case .loopback(let avahi):
            return try await avahi.run(Place.program, arguments, environment: environment, watched)
        case .managed(let manager):
            return try await manager.run(Place.program, arguments, environment: environment, watched)
        case .host(let hosts, let side):
            return try await hosts.run(on: side, Place.program, arguments, environment: environment, watched)
        case .member(let host):
            return try await host.run(Place.program, arguments, environment: environment, watched)
        }
    }

    /// Adds what tests need: a name, for which a person would be asked in a terminal; and to the arguments of `send` any free port,
    /// for the usual one may be in use on this machine, and loopback addresses, unless there is a network.
    ///
    /// Without a network made by the test, no phones are looked for: they would be those of the machine's real networks.
    func asInTests(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, ["send", "receive", "map"].contains(command) else { return arguments }
        let isAlone = network.command("", []) == nil && !arguments.contains("--no-localsend")
        let arguments = arguments + (isAlone ? ["--no-localsend"] : [])
        guard command != "map" else { return arguments }
        return withName(of: command, arguments)
    }

    private func withName(of command: String, _ arguments: [String]) -> [String] {
        let arguments = arguments.contains("--name") ? arguments : arguments + ["--name", name]
        guard command == "send" else { return arguments }
        var added = arguments.contains("--port") ? [] : ["--port", "0"]
        if arguments.contains("--web"), !arguments.contains("--web-port") { added += ["--web-port", "0"] }
        if network.command("", []) == nil { added.append("--show-loopback") }
        return ["send"] + added + arguments.dropFirst()
    }

    /// Sends a region until `body` returns; it is called when receivers can connect.
    func send<Result>(
        _ region: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        _ body: (RunningSender) async throws -> Result
    ) async throws -> Result {
        let command = ["send", region, "--yes", "--format", "json"] + arguments
        return try await start(command, environment: environment) { child in
            let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
            let listening = try JSONValue(parsing: line)
            let result = try await body(
                RunningSender(child: child, listening: listening, port: try #require(listening["port"]?.int))
            )
            // It takes leave, so that nothing of its work stays in the store.
            child.kill(SIGINT)
            _ = await child.waitForExit()
            return result
        }
    }

    /// Sends a region over loopback only, found by nobody.
    func sendQuietly<Result>(
        _ region: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        _ body: (RunningSender) async throws -> Result
    ) async throws -> Result {
        try await send(region, ["--no-discovery"] + arguments, environment: environment, body)
    }

    /// Searches for senders until a number of them is found.
    func browse(untilFound count: Int) async throws -> Ending {
        let end = ContinuousClock.now + .patience
        while true {
            let ending = try await run("browse", "--timeout", "2")
            if try ending.lines("peer").count >= count || ContinuousClock.now >= end { return ending }
        }
    }

    /// Receives from a port of this machine.
    func receive(from port: Int, _ arguments: String...) async throws -> Ending {
        try await start(
            ["receive", "--yes", "--retries", "0", "--connect", "127.0.0.1:\(port)", "--format", "json"] + arguments
        ) { await $0.ending() }
    }

    /// Kills a program that hangs, so that the test does not hang.
    static func impatiently<Result>(
        _ child: ChildProcess,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // What is waited for has limits of its own; this one is for a program that hangs.
                guard (try? await Task.sleep(for: .patience * 6)) != nil else { return }
                child.kill(SIGKILL)
                Issue.record("\(child.command) did not come to an end and was killed")
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }
}

/// A sender that receivers can connect to.
struct RunningSender: Sendable {
    var child: ChildProcess
    var listening: JSONValue
    var port: Int

    /// Waits for a transfer's last line: what became of it.
    func ended(transfer: Int) async throws -> JSONValue {
        let line = try await child.waitForOutput { line in
            (line.contains(#""type":"sent""#) || line.contains(#""type":"notSent""#))
                && line.contains(#""transfer":\#(transfer),"#)
        }
        return try JSONValue(parsing: line)
    }

    /// Presses Ctrl-C and waits for the end.
    func interrupt() async -> Ending {
        child.kill(SIGINT)
        return await child.ending()
    }
}

extension ChildProcess {
    /// Waits for the end of the program and of its output.
    func ending() async -> Ending {
        let (status, output, errorOutput) = await complete()
        return Ending(command: command, status: status, output: output, errorOutput: errorOutput)
    }
}
