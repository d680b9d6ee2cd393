import Dispatch
import Glibc
import SharingReports
import Synchronization

/// A line that a person types in the terminal.
enum TerminalLine {
    /// The maximum number of bytes of a line; the rest is ignored.
    private static let maximumLength = 4096

    /// Waits for a line on a file descriptor, on a thread of its own; nil at the end of the input.
    static func read(from descriptor: Int32) async throws -> String? {
        guard let bell = WakeupPipe() else { return nil }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "hikeshare.line").async {
                    continuation.resume(with: Result { try wait(descriptor, bell) })
                }
            }
        } onCancel: {
            bell.ring()
        }
    }

    /// Whether this program may read from a terminal; true for anything that is no terminal.
    static func isInForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }

    private static func wait(_ descriptor: Int32, _ bell: WakeupPipe) throws -> String? {
        var line: [UInt8] = []
        while true {
            var waiting = [
                pollfd(fd: bell.reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 else {
                if errno == EINTR { continue }
                return nil
            }
            if waiting[0].revents != 0 { throw CancellationError() }
            guard waiting[1].revents != 0 else { continue }
            // It was typed for another program. To read it would stop this one.
            guard isInForeground(descriptor) else { return nil }
            var byte: UInt8 = 0
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count == 1 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            if line.count < maximumLength { line.append(byte) }
        }
    }
}

/// A pipe that wakes a waiting thread.
private final class WakeupPipe: Sendable {
    let reader: Int32
    private let writer: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        reader = ends[0]
        writer = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reader)
        close(writer)
    }

    func ring() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }
}
