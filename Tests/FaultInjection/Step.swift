package import PeerStorage
package import RegionStore

/// What SQLite does to the files of a store's database, and to databases that have arrived.
package enum DatabaseOperation: String, CaseIterable, Hashable, Sendable {
    case open
    case create
    case read
    case write
    case truncate
    case synchronize
    case delete
    /// The memory that processes share.
    case share
}

/// One step of a store: a point in its code, or something that is done to a file.
package enum Step: Hashable, Sendable, CustomStringConvertible {
    case point(FaultPoint)
    case file(FileOperation, String)
    case database(DatabaseOperation, String)

    /// Whether there is something else on the disk after it, if only for certain.
    package var changesDisk: Bool {
        switch self {
        case .point: false
        case .file(let operation, _):
            switch operation {
            case .open, .list, .status, .space, .lock, .read, .evict: false
            case .create, .makeFolder, .write, .copy, .resize, .synchronize, .link, .rename, .removeFile,
                .removeFolder, .setTime:
                true
            }
        case .database(let operation, _):
            switch operation {
            case .open, .read, .share: false
            case .create, .write, .truncate, .synchronize, .delete: true
            }
        }
    }

    /// Whether other processes see another store after it.
    package var changesFiles: Bool {
        switch self {
        case .file(.synchronize, _), .database(.synchronize, _): false
        default: changesDisk
        }
    }

    package var description: String {
        switch self {
        case .point(let point): "point \(point)"
        case .file(let operation, let path): "\(operation) \(path)"
        case .database(let operation, let path): "database \(operation) \(path)"
        }
    }
}
