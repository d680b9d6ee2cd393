import Glibc
import PeerCore
import PeerTestSupport
import SharingReports
import Testing

@testable import HikeShareCommands

/// Other programs that this one starts.
@Suite(.timeLimit(.minutes(10))) struct OtherProgramTests {
    private struct Stopped: Error {}

    @Test func itsStreamsAreTheFilesThatItGets() async throws {
        try await TemporaryDirectory.with { directory in
            let files = try (0...2).map { try OpenFile(directory.path("\($0)"), O_RDWR | O_CREAT) }
            try files[0].write(Array("a map".utf8))
            let arguments = ["-c", "cat; echo why not >&2; exit 3"]
            let streams = files.map { Optional($0.descriptor) }
            let process = try #require(OtherProgram.start("/bin/sh", arguments, streams: streams))
            #expect(try !OtherProgram.wait(for: process) {})
            let texts = try files.map { String(decoding: try $0.prefix(100), as: UTF8.self) }
            #expect(texts == ["a map", "a map", "why not\n"])
        }
    }

    @Test func itHasNoOtherFilesOfThisProgram() async throws {
        try await TemporaryDirectory.with { directory in
            let output = try OpenFile(directory.path("output"), O_RDWR | O_CREAT)
            // As libraries open sockets: not closed when a program is started.
            let socket = dup(output.descriptor)
            defer { close(socket) }
            #expect(socket > STDERR_FILENO)
            let arguments = ["-c", "test -e /dev/fd/1 && ! test -e /dev/fd/\(socket)"]
            let streams = [nil, output.descriptor, nil]
            let process = try #require(OtherProgram.start("/bin/sh", arguments, streams: streams))
            #expect(try OtherProgram.wait(for: process) {})
        }
    }

    @Test func theEndOfAProgramIsKnown() throws {
        #expect(OtherProgram.start("/no/such/program", []) == nil)
        for (command, isGood) in [("exit 0", true), ("exit 1", false), ("kill -9 $$", false)] {
            let process = try #require(OtherProgram.start("/bin/sh", ["-c", command]))
            #expect(try OtherProgram.wait(for: process) {} == isGood, "\(command)")
        }
    }

    @Test func aProgramThatIsNotNeededAnyMoreIsEnded() throws {
        let process = try #require(OtherProgram.start("/bin/sh", ["-c", "exec sleep 100000"]))
        #expect(throws: Stopped.self) { try OtherProgram.wait(for: process) { throw Stopped() } }
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }
}
