package import PeerStorage

/// The steps of a reception and its commit, named by what is about to happen.
///
/// Between these steps are system calls (``FileOperation``), which do not need names of their own.
package enum FaultPoint: String, CaseIterable, Hashable, Sendable {
    case makeWorkspace
    case openPartialFiles
    case lookForChunks
    case copyLocalChunks
    case writeChunks
    case writeAssembledChunk
    case examineArrival
    case synchronizeArrivals
    case placeFiles
    case beginTransaction
    case writeRegion
    case writeFiles
    case mergeItems
    case mergePhotos
    case writeHistory
    case endTransaction
    case removePartialFiles
    case removeWorkspace
    case collectStrays
    case removeStrayFiles
    case settleDatabase
    case giveReceipt
}

/// Sees each step of a store and can let it fail.
///
/// Only tests use it.
package protocol StoreFaultInjector: FaultInjector {
    /// Called when a store reaches a point.
    func reach(_ point: FaultPoint)
}
