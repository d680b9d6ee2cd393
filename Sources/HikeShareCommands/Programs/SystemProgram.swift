import Glibc

/// Runs programs of the system that only root needs.
///
/// They are found in the folders of the system alone, run without a shell, and get none of this program's environment.
enum SystemProgram {
    /// What a program has written, and how it has ended.
    struct Answer {
        /// What it has written to its standard output.
        var output: String
        /// What it has written to its standard error output, without line feeds at the end.
        var complaint: String
        /// Whether it has ended with success, in time, and without writing too much.
        var isSuccess: Bool
    }

    private static let folders = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]
    private static let environment = ["PATH=" + folders.joined(separator: ":"), "LC_ALL=C", "HOME=/"]
    /// The maximum length of what a program writes, in bytes.
    private static let maximumLength = 16 << 20
    /// The time after which a program is ended; those that are written in Python need a second on a slow laptop.
    private static let patience: Duration = .seconds(30)

    /// Returns the path of a program; nil if it is not installed.
    static func path(of name: String) -> String? {
        folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs a program and waits for its end; nil if the program is not installed or cannot be started.
    static func run(_ name: String, _ arguments: [String]) -> Answer? {
        guard let path = path(of: name), let output = Stream(), let complaint = Stream() else { return nil }
        let streams = [nil, output.writing, complaint.writing]
        guard let process = OtherProgram.start(path, arguments, streams: streams, environment: environment) else {
            return nil
        }
        // The pipes end when the program has closed its own ends.
        output.closeWriting()
        complaint.closeWriting()
        let end = ContinuousClock.now + patience
        let isSuccess =
            (try? OtherProgram.wait(for: process) {
                output.read()
                complaint.read()
                guard ContinuousClock.now < end, output.isShort, complaint.isShort else { throw CancellationError() }
            }) ?? false
        output.read()
        complaint.read()
        let words = complaint.text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return Answer(output: output.text, complaint: words, isSuccess: isSuccess && output.isShort)
    }

    /// A pipe from a program, which never waits for the program.
    private final class Stream {
        private var reading: CInt = -1
        private(set) var writing: CInt = -1
        private var bytes: [UInt8] = []

        init?() {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            (reading, writing) = (ends[0], ends[1])
            _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        }

        deinit {
            close(reading)
            closeWriting()
        }

        var isShort: Bool { bytes.count <= maximumLength }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        func closeWriting() {
            if writing >= 0 { close(writing) }
            writing = -1
        }

        func read() {
            var page = [UInt8](repeating: 0, count: 65_536)
            while isShort {
                let count = Glibc.read(reading, &page, page.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                bytes += page[..<count]
            }
        }
    }
}
