import RegionStore

/// The files of a command that cannot be imported.
///
/// Each error is reported at once, and the command continues with the other files.
struct RefusedFiles {
    private let console: Console
    private var status: ExitStatus?
    private var count = 0

    init(_ console: Console) {
        self.console = console
    }

    /// Runs the work on one file, and reports the error with which it fails.
    ///
    /// - Throws: The error if it does not concern the file.
    mutating func collect(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            try note(error)
        }
    }

    /// Reports the error of one file.
    ///
    /// - Throws: The error if it does not concern the file.
    mutating func note(_ error: any Error) throws {
        guard Self.isOfOneFile(error) else { throw error }
        var report = ProblemReport(error)
        // A file that could not be read or stored may be valid.
        report.status = ExitStatus(error) == .storage ? .storage : .badInput
        if status != .storage { status = report.status }
        count += 1
        console.warn(report)
    }

    /// Ends the command if there was an error.
    ///
    /// - Parameter isRest: Whether other files were imported, whose reports may hide the errors.
    /// - Throws: ``ReportedFailure``.
    func check(isRest: Bool = false) throws {
        guard let status else { return }
        if isRest { console.note("Not imported: \(Wording.count(count, "file")), for the reasons above.") }
        throw ReportedFailure(status: status)
    }

    private static func isOfOneFile(_ error: any Error) -> Bool {
        switch error {
        case is RegionStoreError: true
        case let error as CommandError: [.unknownFile, .declined].contains(error.code)
        default: false
        }
    }
}
