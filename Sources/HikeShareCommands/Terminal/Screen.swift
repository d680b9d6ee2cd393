import Glibc
import Sentences
import SharingReports
import Synchronization

/// The files or terminals to which the program writes and from which it reads.
struct Screen: Sendable {
    /// A file, pipe or terminal to which text for people is written.
    struct Device: Hashable, Sendable {
        var isTerminal = false
        var hasColor = false
    }

    /// Whether a person sees the standard error output and can answer.
    var canAsk: Bool
    /// Whether lines on the standard error output can be erased and written again.
    var isLive: Bool
    /// The standard output.
    var results = Device()
    /// The standard error output.
    var messages = Device()
    var characters = SketchCharacters.ascii
    /// Returns the number of columns and rows of the terminal at a file descriptor.
    var measure: @Sendable (Int32) -> (columns: Int, rows: Int) = Screen.size(of:)

    /// Writes to a file descriptor.
    var output: @Sendable (String, Int32) -> Void = { OutputQueue.standard.write($0, to: $1) }

    /// Returns the screen of this process.
    static func current(_ environment: [String: String], color: ColorChoice = .auto) -> Screen {
        func device(_ descriptor: Int32) -> Device {
            let isTerminal = isatty(descriptor) == 1
            return Device(
                isTerminal: isTerminal,
                hasColor: color.hasColor(isTerminal: isTerminal, environment: environment)
            )
        }
        let messages = device(STDERR_FILENO)
        return Screen(
            canAsk: messages.isTerminal && isatty(STDIN_FILENO) == 1,
            isLive: messages.isTerminal && !["", "dumb"].contains(environment["TERM", default: ""]),
            results: device(STDOUT_FILENO),
            messages: messages,
            characters: .current(environment)
        )
    }

    /// The number of columns of the terminal at the standard error output.
    var columns: Int { size.columns }

    /// The number of columns and rows of the terminal at the standard error output.
    var size: (columns: Int, rows: Int) { measure(STDERR_FILENO) }

    /// Returns how text is written to a file descriptor; only terminals get lines of limited width.
    func style(of descriptor: Int32) -> OutputStyle {
        let device = descriptor == STDOUT_FILENO ? results : messages
        return OutputStyle(width: device.isTerminal ? measure(descriptor).columns : nil, hasColor: device.hasColor)
    }

    private static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Makes the terminal of this session the standard input, if the standard error output is a terminal.
    static func readFromControllingTerminal() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        dup2(descriptor, STDIN_FILENO)
        close(descriptor)
    }

    // The first error of writing to the standard output.
    private static let outputError = Mutex<CInt?>(nil)

    /// Checks that all results were written; a reader may have closed the pipe, as `head` does.
    static func checkOutput() throws(CommandError) {
        switch outputError.withLock({ $0 }) {
        case nil, EPIPE:
            return
        case ENOSPC, EDQUOT:
            throw CommandError(
                .output,
                "The results cannot be written: the disk is full.",
                remedy: "Free some space, or write the results somewhere else."
            )
        case let number?:
            throw CommandError(.output, "The results cannot be written: \(String(cString: strerror(number))).")
        }
    }

    /// Writes a text; stops if the file descriptor accepts no more.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, 1000)
                continue
            }
            guard count > 0 else {
                if descriptor == STDOUT_FILENO { noteOutputError(count < 0 ? errno : EIO) }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }

    private static func noteOutputError(_ number: CInt) { outputError.withLock { $0 = $0 ?? number } }
}

extension Screen {
    /// Whether something may still read the standard output: the reader of a pipe has not closed it.
    static var hasReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) <= 0 || output.revents & Int16(POLLERR) == 0
    }
}
