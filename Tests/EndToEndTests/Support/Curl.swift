import PeerTestSupport
import Testing

/// The program curl, as a client of our web servers.
enum Curl {
    /// Returns the lines of an answer with its fields; it must be one, whatever its status.
    static func answer(_ arguments: String..., asNobody: Bool = false) async throws -> [String] {
        let ending = try await run(["--include"] + arguments, asNobody: asNobody)
        try #require(ending.code == 0, "\(ending)")
        return ending.output
    }

    /// Runs curl to its end.
    static func run(_ arguments: [String], asNobody: Bool = false) async throws -> Ending {
        let command = ["--silent", "--show-error", "--max-time", "300"] + arguments
        let (program, words) =
            asNobody
            ? ("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "curl"] + command) : ("curl", command)
        return try await ChildProcess.with(program, words) { await $0.ending() }
    }
}
