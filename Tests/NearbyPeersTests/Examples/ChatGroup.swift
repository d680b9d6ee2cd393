import Foundation
import PeerTestSupport
import Testing

/// Eight people who chat, each on a host of its own.
struct ChatGroup: Sendable {
    /// A pair of people with a connection.
    typealias Pair = Set<String>

    static let names = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gina", "Hugo"]

    let hosts: ManyHosts
    private let directory: TemporaryDirectory

    /// Makes the hosts, with discovery.
    static func with(_ body: (ChatGroup) async throws -> Void) async throws {
        try await ManyHosts.withHosts(count: names.count, repository: ExampleProgram.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                for name in names {
                    try FileManager.default.createDirectory(
                        at: directory.url.appending(path: name),
                        withIntermediateDirectories: true
                    )
                }
                try await body(ChatGroup(hosts: hosts, directory: directory))
            }
        }
    }

    /// A file in a person's folder; files that others send arrive there.
    func file(_ name: String, of person: String) -> URL { directory.url.appending(path: person + "/" + name) }

    /// The host of a person.
    func host(_ name: String) throws -> ManyHosts.Host {
        hosts[try #require(Self.names.firstIndex(of: name))]
    }

    /// Runs the chats of all people.
    func runAll(_ body: ([String: ChildProcess]) async throws -> Void) async throws {
        try await run(Self.names[...], [:], body)
    }

    private func run(
        _ names: ArraySlice<String>,
        _ running: [String: ChildProcess],
        _ body: ([String: ChildProcess]) async throws -> Void
    ) async throws {
        guard let name = names.first else { return try await body(running) }
        try await run(name) { chat in
            try await run(names.dropFirst(), running.merging([name: chat]) { $1 }, body)
        }
    }

    /// Runs the chat of a person.
    func run(_ name: String, _ body: (ChildProcess) async throws -> Void) async throws {
        try await host(name).run(
            ExampleProgram.folder + "/Chat",
            [name, file("key.pem", of: name).path, "--everyone"],
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        ) { chat in
            let watch = Task {
                // A program that hangs must not make the tests hang.
                guard (try? await Task.sleep(for: .patience)) != nil else { return }
                chat.kill(SIGKILL)
                Issue.record("\(chat.command) did not come to an end: \(chat.outputLines)")
            }
            defer { watch.cancel() }
            try await body(chat)
        }
    }

    /// The established TCP connections, each as the pair of people that it joins.
    func connections() async throws -> [Pair] {
        var ends: [Set<String>: [String]] = [:]
        for (name, host) in zip(Self.names, hosts.all) {
            let (status, output, _) = try await host.run("ss", ["-Htn", "state", "established"]) { await $0.complete() }
            #expect(status == .exited(0))
            for line in output {
                // Both hosts show the same two addresses, the other way round.
                let addresses = line.split(separator: " ").suffix(2).map { address(in: $0) }
                ends[Set(addresses), default: []].append(name)
            }
        }
        return ends.values.map(Set.init)
    }

    /// An address as both hosts write it: without the name of the interface, and IPv4 not inside IPv6.
    private func address(in text: Substring) -> String {
        ["%lan0", "::ffff:", "[", "]"].reduce(String(text)) { $0.replacing($1, with: "") }
    }
}

extension ChildProcess {
    /// Waits until the chat shows people as connected.
    ///
    /// - Parameters:
    ///   - names: The people.
    ///   - count: How many lines of output came before: the people are connected after these lines.
    /// - Throws: If the program ends before.
    func shows(connected names: [String], after count: Int = 0) async throws {
        var connected: Set<String> = []
        var number = 0
        for await line in outputs() {
            number += 1
            for name in names where line.hasPrefix("-- \(name): ") {
                if line.hasPrefix("-- \(name): connected") { connected.insert(name) } else { connected.remove(name) }
            }
            if number >= count, connected.count == names.count { return }
        }
        try Task.checkCancellation()
        throw Failure(description: "\(command) ended before all were connected: \(outputLines)")
    }

    /// What a person has said on this screen, in order.
    func lines(of name: String) -> [String] {
        outputLines.filter { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
}
