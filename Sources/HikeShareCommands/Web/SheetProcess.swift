import Glibc
import MapPages
import PeerCore
import RegionStore
import SharingReports

/// The process that draws the sheet of the page for phones.
///
/// It is this program once more. What draws sheets takes 10 MB, and stays in the memory of the process that has loaded it. The process
/// gets a description of the sheet as its standard input, so it reads no store, and has only what a person has agreed to.
enum SheetProcess {
    /// The argument that makes this program that process; no person types it.
    static let arguments = ["draw-sheet"]
    /// The program that runs, also if another version has been installed meanwhile.
    private static let program = "/proc/self/exe"
    /// The time after which the process is ended, in seconds; it usually needs two.
    private static let patience: UInt32 = 300
    /// The maximum length of the sentence that says why there is no sheet, in bytes.
    private static let reasonLength = 500

    // MARK: The server

    /// Has a sheet drawn.
    ///
    /// - Parameters:
    ///   - description: The description of the sheet.
    ///   - makeFile: Creates a file.
    ///   - check: Called while the process runs; if it throws an error, the process is ended.
    /// - Returns: The sheet.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/invalidArgument`` if it could not be drawn; the errors of `makeFile`
    ///   and `check`.
    @Sendable static func draw(
        _ description: OpenFile,
        _ makeFile: () throws -> OpenFile,
        _ check: () throws -> Void
    ) throws -> OpenFile {
        let (sheet, reason) = (try makeFile(), try makeFile())
        let streams = [description.descriptor, sheet.descriptor, reason.descriptor]
        guard let process = OtherProgram.start(program, arguments, streams: streams) else {
            throw failure("this program could not be started once more.")
        }
        let end = ContinuousClock.now + Duration.seconds(patience)
        let isComplete = try OtherProgram.wait(for: process) {
            try check()
            guard ContinuousClock.now < end else { throw failure("it took too long.") }
        }
        guard isComplete else {
            let words = String(decoding: try reason.prefix(reasonLength), as: UTF8.self)
            throw failure(words.isEmpty ? "the process that draws it has ended." : words)
        }
        return sheet
    }

    private static func failure(_ reason: String) -> RegionStoreError {
        RegionStoreError(.invalidArgument, "The PDF could not be made: \(reason)")
    }

    // MARK: The process

    /// Draws the sheet that the standard input describes; if that fails, the standard error says why.
    static func run() -> ExitStatus {
        // It ends by itself if the program that started it has ended.
        _ = alarm(patience)
        // Libraries write their warnings to the standard error, and the page gets no details of this machine.
        let reason = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        if nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
        do {
            let input = OpenFile(owning: STDIN_FILENO, path: "standard input", nil)
            let output = OpenFile(owning: STDOUT_FILENO, path: "standard output", nil)
            var length: UInt64 = 0
            try MapSheet(describedIn: input).write { bytes in
                try output.write(bytes, at: length)
                length += UInt64(bytes.count)
            }
            return .success
        } catch let error as RegionStoreError {
            Screen.write(error.message, to: reason)
        } catch let error as SystemError where error.number == ENOSPC {
            Screen.write("the laptop has no space on its disk.", to: reason)
        } catch {
            // The page gets no details of this machine.
        }
        return .failure
    }
}
