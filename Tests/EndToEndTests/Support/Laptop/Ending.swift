import PeerTestSupport

/// How a run of the program ended, and all that it wrote.
struct Ending: CustomStringConvertible {
    var command: String
    var status: ExitStatus
    var output: [String]
    var errorOutput: [String]

    /// The exit code; nil if a signal ended it.
    var code: Int32? {
        if case .exited(let code) = status { code } else { nil }
    }

    /// The lines of JSON on standard output; throws if there is anything else.
    var lines: [JSONValue] {
        get throws { try output.map { try JSONValue(parsing: $0) } }
    }

    /// All of standard error.
    var words: String { errorOutput.joined(separator: "\n") }

    var description: String {
        "\(command)\nended with \(status)\n" + (output + errorOutput).joined(separator: "\n")
    }

    /// The lines of a type.
    func lines(_ type: String) throws -> [JSONValue] {
        try lines.filter { $0.type == type }
    }

    /// The line that says what went wrong, which with JSON is the last of standard error.
    func problem() throws -> JSONValue {
        guard let last = errorOutput.last else {
            throw ChildProcess.Failure(description: "\(self)\nsaid nothing on standard error")
        }
        return try JSONValue(parsing: last)
    }
}
