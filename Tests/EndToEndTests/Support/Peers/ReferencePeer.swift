import PeerTestSupport
import Testing

/// The second implementation of the protocol, `Tests/ReferencePeer`, with a key and a folder of its own.
struct ReferencePeer: Sendable {
    /// Debian's own Python: `python3-openssl` is installed for no other.
    static let python = "/usr/bin/python3"

    /// Where its key and the ids of the peers that it trusts are.
    var home: String
    /// Where the files of the region are.
    var folder: String

    init(_ name: String, in directory: TemporaryDirectory) {
        home = directory.path(name + "-home")
        folder = directory.path(name + "-region")
    }

    /// Runs a script of the peer to its end.
    static func run(script: String, _ arguments: String...) async throws -> Ending {
        let program = ["-B", Place.repository + "/Tests/ReferencePeer/" + script]
        return try await ChildProcess.with(python, program + arguments) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
    }

    /// Starts the peer, calls `body` and kills it if it still runs then.
    func start<Result>(
        _ command: String,
        _ arguments: [String],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let program = ["-B", Place.repository + "/Tests/ReferencePeer", command]
        let folders = ["--home", home, "--folder", folder]
        return try await ChildProcess.with(Self.python, program + folders + arguments) { child in
            try await Laptop.impatiently(child) { try await body(child) }
        }
    }

    /// Puts the cases of the conformance kit to an implementation.
    func test(_ command: String, _ arguments: [String]) async throws -> Ending {
        let program = ["-B", Place.repository + "/Tests/ReferencePeer", command, "--home", home]
        return try await ChildProcess.with(Self.python, program + arguments) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
    }

    /// Receives to the end from a link, or from an address and a port.
    func receive(from sender: String, _ arguments: String...) async throws -> Ending {
        try await start("receive", [sender] + arguments) { await $0.ending() }
    }

    /// Sends once; `body` is called when receivers can connect, and gets the link and the port.
    func send(
        _ arguments: String...,
        body: (_ peer: ChildProcess, _ link: String, _ port: Int) async throws -> Void
    ) async throws -> Ending {
        try await start("send", arguments) { child in
            let line = try JSONValue(parsing: try await child.event("listening"))
            try await body(child, try #require(line["link"]?.string), try #require(line["port"]?.int))
            return await child.ending()
        }
    }
}

extension ChildProcess {
    /// Waits for a line of the reference peer.
    @discardableResult
    func event(_ type: String) async throws -> String {
        try await waitForOutput { $0.contains(#""type": "\#(type)""#) }
    }
}
