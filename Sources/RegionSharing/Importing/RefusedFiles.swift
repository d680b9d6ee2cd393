import PeerCore
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
        report.status = Self.status(of: error)
        // Of several errors, the worst counts: a file that could not be read or stored may be valid.
        let order: [ExitStatus?] = [nil, .notFound, .badInput, .storage]
        if order.firstIndex(of: report.status) ?? 0 > order.firstIndex(of: status) ?? 0 { status = report.status }
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

    /// The exit code for the error of a file: a file that is there and is refused is a bad one, for whatever reason.
    private static func status(of error: any Error) -> ExitStatus {
        let missing = (error as? RegionStoreError)?.cause as? SystemError
        if missing?.isOfMissingFile == true { return .notFound }
        return ExitStatus(error) == .storage ? .storage : .badInput
    }

    private static func isOfOneFile(_ error: any Error) -> Bool {
        switch error {
        case is RegionStoreError: true
        case let error as CommandError: [.unknownFile, .declined].contains(error.code)
        default: false
        }
    }
}
