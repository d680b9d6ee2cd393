package import PeerStorage

/// The steps of a reception and its commit, named by what is about to happen.
///
/// Between these steps are system calls (``FileOperation``), which do not need names of their own.
package enum FaultPoint: String, CaseIterable, Hashable, Sendable {
    /// The folder of the transfer is made.
    case makeWorkspace
    /// The partial files of the resources are opened, or made.
    case openPartialFiles
    /// Chunks in the store are searched for.
    case lookForChunks
    /// Chunks of files in the store are copied.
    case copyLocalChunks
    /// Chunks that have come are written.
    case writeChunks
    /// A chunk is written that was put together from pages.
    case writeAssembledChunk
    /// A resource that is whole is checked.
    case examineArrival
    /// The resources are made durable.
    case synchronizeArrivals
    /// The files get their places in the store.
    case placeFiles
    /// The transaction of the database begins.
    case beginTransaction
    /// The row of the region is written.
    case writeRegion
    /// The rows of its files are written.
    case writeFiles
    /// Its hikes, routes and waypoints are merged.
    case mergeItems
    /// Its photos are merged.
    case mergePhotos
    /// The row of the transfer is written.
    case writeHistory
    /// The transaction ends.
    case endTransaction
    /// The partial files are removed.
    case removePartialFiles
    /// The folder of the transfer is removed.
    case removeWorkspace
    /// Files that nothing refers to are looked for.
    case collectStrays
    /// These files are removed.
    case removeStrayFiles
    /// The database's log is written back.
    case settleDatabase
    /// The receipt is given to the caller.
    case giveReceipt
}

/// Sees each step of a store and can let it fail.
///
/// Only tests use it.
package protocol StoreFaultInjector: FaultInjector {
    /// Called when a store reaches a point.
    func reach(_ point: FaultPoint)
}
