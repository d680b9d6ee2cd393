import Foundation
import PeerTestSupport
import Testing

/// An example program, run on one of two hosts.
struct ExampleProgram: Sendable {
    let name: String
    let hosts: TwoHosts
    let directory: TemporaryDirectory

    /// The folder of the built programs.
    static let folder: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [CommandLine.arguments[0], executable, Bundle.main.bundlePath].map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/Chat") } ?? folders[0]
    }()

    /// The folder that holds `Scripts`.
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Makes two hosts with discovery.
    static func with(
        _ name: String,
        on network: TwoHosts.Network = .dual,
        _ body: (ExampleProgram) async throws -> Void
    ) async throws {
        try await TwoHosts.with(network, repository: repository) { hosts in
            try await TemporaryDirectory.with { directory in
                try await body(ExampleProgram(name: name, hosts: hosts, directory: directory))
            }
        }
    }

    /// Runs the program under a name, with a key of its own.
    func run(
        _ side: TwoHosts.Side,
        _ person: String,
        _ options: [String] = ["--everyone"],
        key: String? = nil,
        _ body: (ChildProcess) async throws -> Void
    ) async throws {
        try await hosts.run(
            on: side,
            Self.folder + "/" + name,
            [person, directory.path(key ?? person + ".pem")] + options,
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        ) { child in
            let watch = Task {
                // A program that hangs must not make the tests hang.
                guard (try? await Task.sleep(for: .patience)) != nil else { return }
                child.kill(SIGKILL)
                Issue.record("\(child.command) did not come to an end: \(child.outputLines)")
            }
            defer { watch.cancel() }
            try await body(child)
        }
    }
}

extension ChildProcess {
    /// Waits for a line that ends with a text.
    @discardableResult
    func says(_ text: String) async throws -> String {
        try await waitForOutput { $0.hasSuffix(text) }
    }

    /// Waits for the n-th line that ends with a text.
    func says(_ text: String, times count: Int) async throws {
        let seen = Locked(0)
        try await waitForOutput { line in
            guard line.hasSuffix(text) else { return false }
            return seen.withLock { seen in
                seen += 1
                return seen == count
            }
        }
    }

    /// Ends the input, and expects the program to end well.
    func leaves() async {
        let (status, output, errorOutput) = await complete()
        #expect(status == .exited(0), "\(command): \(output + errorOutput)")
    }
}
