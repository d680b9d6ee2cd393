package import PeerStorage

/// Sees each step of a store and can let it fail.
///
/// Only tests use it.
package protocol StoreFaultInjector: FaultInjector {
    /// Called when a store reaches a point.
    func reach(_ point: FaultPoint)
}
