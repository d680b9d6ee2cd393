import RegionStore

/// The files of a command that cannot be imported.
///
/// Each error is reported at once, and the command continues with the other files.
struct Refusals {
    private let console: Console
    private var count = 0

    init(_ console: Console) {
        self.console = console
    }

    var isEmpty: Bool { count == 0 }

    /// Runs the work on one file, and reports the error with which it fails.
    ///
    /// - Throws: The error if the other files would fail, too.
    mutating func collect(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            try note(error)
        }
    }

    /// Reports the error of one file.
    mutating func note(_ error: any Error) throws {
        guard Self.isOfOneFile(error) else { throw error }
        count += 1
        var report = ProblemReport(error)
        report.status = .badInput
        console.warn(report)
    }

    /// Ends the command if there was an error.
    ///
    /// - Throws: ``ReportedFailure``.
    func check() throws {
        guard count == 0 else { throw ReportedFailure(status: .badInput) }
    }

    private static func isOfOneFile(_ error: any Error) -> Bool {
        switch error {
        case let error as RegionStoreError: error.code != .storage && error.code != .conflict
        case let error as CommandError: error.code == .unknownFile
        default: false
        }
    }
}
