import GRDBSQLite
import PeerStorage
package import RegionModel

/// Error messages. They distinguish invalid files from files that could not be read.
extension UntrustedDatabase {
    /// Returns the error of a stopped query, which does not mean that the file is invalid.
    func error(_ reason: UntrustedDatabaseGuard.Reason, _ failure: Failure) -> any Error {
        switch reason {
        case .cancellation:
            CancellationError()
        case .memory:
            tooMuchMemory(failure)
        case .time:
            RegionStoreError(
                .storage,
                "\(name) takes too long to \(purpose.rawValue).",
                remedy: "Use a faster machine, or \(plainTable)",
                cause: failure
            )
        }
    }

    private var plainTable: String {
        switch purpose {
        case .check: "create the file again with “tiles” as a plain table with an index."
        case .read:
            "create the map again with “tiles” as a plain table with an index, and import it as a newer version."
        }
    }

    private func tooMuchMemory(_ failure: Failure) -> RegionStoreError {
        RegionStoreError(
            .storage,
            "\(name) needs too much memory to \(purpose.rawValue).",
            remedy: plainTable.prefix(1).uppercased() + plainTable.dropFirst(),
            cause: failure
        )
    }

    /// Translates an error of SQLite.
    package func error(_ failure: Failure) -> RegionStoreError {
        func invalid(_ what: String, remedy: String? = nil) -> RegionStoreError {
            RegionStoreError(.invalidFile, "\(name) \(what).", remedy: remedy, cause: failure)
        }
        func unreadable(_ what: String, remedy: String) -> RegionStoreError {
            RegionStoreError(.storage, "\(name) \(what).", remedy: remedy, cause: failure)
        }
        return switch failure.code & 0xFF {
        case SQLITE_NOTADB: invalid("is not an SQLite database, or is encrypted")
        case SQLITE_CORRUPT: invalid("is damaged: \(failure.message)", remedy: "Get a new copy of the file.")
        case SQLITE_BUSY, SQLITE_LOCKED:
            unreadable("is locked by another program", remedy: "Close that program and try again.")
        case SQLITE_CANTOPEN, SQLITE_READONLY:
            unreadable(
                "is in use by another program, or was not closed cleanly",
                remedy: "Open and close it once in the program that created it, then try again."
            )
        case SQLITE_AUTH: invalid("is not acceptable: its views do more than read tables (\(failure.message))")
        case SQLITE_TOOBIG: invalid("is not acceptable: it holds a value that is too large")
        // The hard limit on memory, or this machine is out of memory.
        case SQLITE_NOMEM: tooMuchMemory(failure)
        case SQLITE_IOERR, SQLITE_FULL, SQLITE_PERM, SQLITE_PROTOCOL, SQLITE_INTERRUPT:
            unreadable("cannot be read: \(failure.message)", remedy: "Check the disk and try again.")
        default: invalid("cannot be read as a database: \(failure.message)")
        }
    }

    /// Returns the error of a file with an unacceptable content.
    package func invalid(_ what: String, remedy: String? = nil) -> RegionStoreError {
        RegionStoreError(.invalidFile, "\(name) \(what).", remedy: remedy)
    }
}

extension RegionStoreError {
    /// Whether a query of an untrusted database reached a limit on time or memory.
    var isReachedLimit: Bool {
        (cause as? UntrustedDatabase.Failure).map { [SQLITE_INTERRUPT, SQLITE_NOMEM].contains($0.code & 0xFF) } ?? false
    }
}
