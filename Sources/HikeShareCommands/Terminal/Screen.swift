import Glibc
import Synchronization

/// What the program can write to and read from.
struct Screen: Sendable {
    /// Whether a person sees the errors and can answer.
    var canAsk: Bool

    /// Whether a line on the standard error output can be drawn again in its place.
    var isLive: Bool

    /// Finds out what there is.
    static func current(environment terminal: String?) -> Screen {
        let seesErrors = isatty(STDERR_FILENO) == 1
        return Screen(
            canAsk: seesErrors && isatty(STDIN_FILENO) == 1,
            isLive: seesErrors && terminal != nil && terminal != "dumb"
        )
    }

    /// How many columns there are just now.
    var columns: Int { size.columns }

    /// How many columns and rows there are just now.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Makes the terminal of this session the standard input, if a person sees the errors on it.
    static func readFromControllingTerminal() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        dup2(descriptor, STDIN_FILENO)
        close(descriptor)
    }

    // The first error with which results could not be written.
    private static let outputError = Mutex<CInt?>(nil)

    /// Checks that all results were written.
    ///
    /// A program that stopped reading them, as `head` does, is no error.
    ///
    /// - Throws: ``CommandError`` with ``CommandError/Code/output``.
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

    /// Writes all of a text, as far as it can be written.
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

    private static func noteOutputError(_ number: CInt) {
        outputError.withLock { $0 = $0 ?? number }
    }
}
