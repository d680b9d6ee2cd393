import Foundation
import PeerTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChildProcessTests {
    @Test func readsOutputAndExitCode() async throws {
        try await ChildProcess.with("sh", ["-c", "echo one; echo two >&2; printf three; exit 7"]) { child in
            let (status, output, errorOutput) = await child.complete()
            #expect(status == .exited(7))
            #expect(output == ["one", "three"])
            #expect(errorOutput == ["two"])
        }
    }

    @Test func readsLinesAsTheyCome() async throws {
        try await ChildProcess.with("sh", ["-c", "while read line; do echo got $line; done"]) { child in
            for word in ["a", "b", "c"] {
                try child.write(word + "\n")
                try await child.waitForOutput { $0 == "got " + word }
            }
            child.closeInput()
            #expect(await child.waitForExit() == .exited(0))
            #expect(throws: (any Error).self) { try child.write("late") }
        }
    }

    @Test func survivesOutputLargerThanPipes() async throws {
        try await ChildProcess.with("sh", ["-c", "seq 200000; seq 200000 >&2"]) { child in
            let (status, output, errorOutput) = await child.complete()
            #expect(status == .exited(0))
            #expect(output.count == 200_000 && errorOutput.count == 200_000)
        }
    }

    @Test func reportsSignal() async throws {
        try await ChildProcess.with("sleep", ["1000"]) { child in
            child.kill(15)
            #expect(await child.waitForExit() == .signalled(15))
        }
    }

    @Test func killsProgramAtEndOfScope() async throws {
        let processID = try await ChildProcess.with("sleep", ["1000"]) { $0.processID }
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(processID)"))
    }

    @Test func passesEnvironmentAndDirectory() async throws {
        try await TemporaryDirectory.with { directory in
            try await ChildProcess.with(
                "sh",
                ["-c", "pwd; echo $GREETING; echo ${HOME-none}; ls /proc/self/fd | wc -w"],
                environment: ["GREETING": "hello", "HOME": nil],
                directory: directory.path
            ) { child in
                let output = await child.complete().output
                // Three streams, and the folder that ls itself reads.
                #expect(output == [directory.path, "hello", "none", "4"])
            }
        }
    }

    @Test func failsForMissingProgram() async {
        await #expect(throws: ChildProcess.Failure.self) {
            try await ChildProcess.with("no-such-program-here") { _ in }
        }
    }

    @Test func failsWhenAwaitedLineDoesNotCome() async throws {
        try await ChildProcess.with("echo", ["something else"]) { child in
            let error = await #expect(throws: ChildProcess.Failure.self) {
                try await child.waitForOutput { $0 == "ready" }
            }
            #expect(error?.description.contains("something else") == true)
        }
    }

    @Test func writingToProgramThatHasEndedIsAnError() async throws {
        try await ChildProcess.with("true") { child in
            _ = await child.waitForExit()
            #expect(throws: ChildProcess.Failure.self) { try child.write("x") }
        }
    }
}
