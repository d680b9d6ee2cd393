import Foundation
import PeerTestSupport
import Testing

/// Two hosts on a cable without discovery, for the reference peer and for programs that use sessions.
struct SessionHosts: Sendable {
    /// A program that listens for sessions.
    enum Program: String {
        case chat = "Chat"
        case partner = "SessionPartner"

        /// The application that it belongs to.
        var application: String {
            switch self {
            case .chat: "chat-app"
            case .partner: "partner-test"
            }
        }

        /// The message that it sends.
        var message: String {
            switch self {
            case .chat: "chat.line"
            case .partner: "note"
            }
        }
    }

    private static let name = "Anna"

    let directory: TemporaryDirectory
    private let hosts: TwoHosts

    /// Makes the hosts, and a folder in which files from others arrive.
    static func with(_ body: (SessionHosts) async throws -> Void) async throws {
        try await TwoHosts.with(.v4, hasDiscovery: false, repository: Place.repository) { hosts in
            try await TemporaryDirectory.with { directory in
                let made = SessionHosts(directory: directory, hosts: hosts)
                try FileManager.default.createDirectory(at: made.folder, withIntermediateDirectories: true)
                try await body(made)
            }
        }
    }

    /// Where the program has its key and stores what others send.
    var folder: URL { directory.url.appending(path: "anna") }

    /// Makes a file with random bytes.
    func makeFile(_ name: String, seed: UInt64) throws -> URL {
        var generator = SeededGenerator(seed: seed)
        let file = directory.url.appending(path: name)
        try Data(generator.bytes(3_000_000)).write(to: file)
        return file
    }

    /// Runs a program; it is the only one that listens on its host.
    func run(_ program: Program, _ options: String..., body: (ChildProcess) async throws -> Void) async throws {
        try await hosts.run(
            on: .a,
            Place.folder + "/" + program.rawValue,
            [Self.name, folder.path + "/key.pem"] + options,
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        ) { child in
            try await Laptop.impatiently(child) { try await body(child) }
        }
    }

    /// Waits until a program listens, and returns its address: that on the cable, or the one for its own host.
    func address(of program: Program, onItself: Bool = false) async throws -> String {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end {
            let (status, lines, _) = try await hosts.run(on: .a, "ss", ["-Htlnp"]) { await $0.complete() }
            #expect(status == .exited(0))
            // The columns are: state, two queues, local address and port, peer, program.
            let line = lines.first { $0.contains("\"\(program.rawValue)\"") }
            if let port = line?.split(separator: " ").dropFirst(3).first?.split(separator: ":").last {
                if onItself { return "127.0.0.1:\(port)" }
                let names = try await hosts.run(on: .a, "hostname", ["-I"]) { await $0.complete() }.output
                return "\(try #require(names.first?.split(separator: " ").first)):\(port)"
            }
        }
        throw ChildProcess.Failure(description: "\(program.rawValue) does not listen")
    }

    /// Runs the reference peer at the other end of the cable, or beside the program, where the program can dial it.
    ///
    /// - Parameters:
    ///   - peer: The link or the address that it connects with; nil if the program connects.
    ///   - program: The program.
    ///   - options: Further options.
    ///   - isBeside: Whether it runs on the host of the program.
    ///   - body: Uses the peer.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    func link<Result>(
        with peer: String?,
        of program: Program,
        _ options: [String] = [],
        isBeside: Bool = false,
        _ body: (LinkedPeer) async throws -> Result
    ) async throws -> Result {
        let arguments =
            ["-B", Place.repository + "/Tests/ReferencePeer", "link"] + (peer.map { [$0] } ?? []) + [
                "--application", program.application, "--home", directory.path("peer-home"),
                "--folder", directory.path("peer"), "--reads", program.message,
            ] + options
        return try await hosts.run(on: isBeside ? .a : .b, ReferencePeer.python, arguments) { child in
            try await Laptop.impatiently(child) { try await body(LinkedPeer(child: child)) }
        }
    }
}

extension SessionHosts {
    /// Puts the cases of the conformance kit to a program, from the other end of the cable.
    func test(_ program: Program, at link: String) async throws -> Ending {
        let kit = ["-B", Place.repository + "/Tests/ReferencePeer", "test-session", link]
        let arguments = kit + ["--application", program.application]
        return try await hosts.run(on: .b, ReferencePeer.python, arguments) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
    }
}

extension ChildProcess {
    /// Waits for the share link of a program that listens for sessions.
    func link() async throws -> String {
        let line = try await waitForOutput { $0.hasPrefix("link ") }
        return String(line.dropFirst("link ".count))
    }

    /// Waits for a line that ends with a text.
    @discardableResult
    func shows(_ text: String, number: Int = 1) async throws -> String {
        let seen = Locked(0)
        return try await waitForOutput { line in
            guard line.hasSuffix(text) else { return false }
            return seen.withLock { seen in
                seen += 1
                return seen == number
            }
        }
    }

    /// Ends the input, and expects the program to end well.
    func leaves() async {
        let (status, output, errorOutput) = await complete()
        #expect(status == .exited(0), "\(command): \(output + errorOutput)")
    }
}
