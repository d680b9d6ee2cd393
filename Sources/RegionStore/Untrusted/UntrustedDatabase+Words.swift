import GRDBSQLite

/// What went wrong with a file, for people. A file that is bad is told from one that could not be read.
extension UntrustedDatabase {
    /// Says why a query was stopped: nothing that is said against the file.
    func error(_ reason: UntrustedDatabaseGuard.Reason, _ failure: Failure) -> any Error {
        switch reason {
        case .cancellation:
            CancellationError()
        case .memory:
            tooMuchMemory(failure)
        case .time:
            RegionStoreError(
                .storage,
                "\(name) takes too long to check.",
                remedy: "Use a faster machine, or create the file again with “tiles” as a plain table.",
                cause: failure
            )
        }
    }

    private func tooMuchMemory(_ failure: Failure) -> RegionStoreError {
        RegionStoreError(
            .storage,
            "\(name) needs too much memory to check.",
            remedy: "Create the file again with “tiles” as a plain table.",
            cause: failure
        )
    }

    /// Puts a failure of SQLite into words.
    func error(_ failure: Failure) -> RegionStoreError {
        switch failure.code & 0xFF {
        case SQLITE_NOTADB:
            RegionStoreError(.invalidFile, "\(name) is not an SQLite database, or is encrypted.", cause: failure)
        case SQLITE_CORRUPT:
            RegionStoreError(
                .invalidFile,
                "\(name) is damaged: \(failure.message).",
                remedy: "Get a new copy of the file.",
                cause: failure
            )
        case SQLITE_BUSY, SQLITE_LOCKED:
            RegionStoreError(
                .storage,
                "\(name) is locked by another program.",
                remedy: "Close that program and try again.",
                cause: failure
            )
        case SQLITE_CANTOPEN, SQLITE_READONLY:
            RegionStoreError(
                .storage,
                "\(name) is in use by another program, or was not closed cleanly.",
                remedy: "Close it in the program that created it, or copy its folder to a place where you can write.",
                cause: failure
            )
        case SQLITE_AUTH:
            RegionStoreError(
                .invalidFile,
                "\(name) is not acceptable: its views do more than read tables (\(failure.message)).",
                cause: failure
            )
        case SQLITE_TOOBIG:
            RegionStoreError(
                .invalidFile,
                "\(name) is not acceptable: it holds a value that is too large.",
                cause: failure
            )
        case SQLITE_NOMEM:
            // The wall behind the limit of memory, or this machine has none left.
            tooMuchMemory(failure)
        case SQLITE_IOERR, SQLITE_FULL, SQLITE_PERM, SQLITE_PROTOCOL, SQLITE_INTERRUPT:
            RegionStoreError(
                .storage,
                "\(name) cannot be read: \(failure.message).",
                remedy: "Check the disk and try again.",
                cause: failure
            )
        default:
            RegionStoreError(.invalidFile, "\(name) cannot be read as a database: \(failure.message).", cause: failure)
        }
    }
}
