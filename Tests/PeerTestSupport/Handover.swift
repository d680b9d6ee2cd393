import Foundation

/// The way of a child process to the thread that waits for its end.
///
/// A thread that makes the object itself and hands it to a task would do as well, but not to the eyes of the thread
/// sanitizer.
final class Handover: @unchecked Sendable {
    // Touched while the condition is locked only.
    private var child: ChildProcess?
    private let condition = NSCondition()

    func give(_ child: ChildProcess) {
        condition.lock()
        self.child = child
        condition.signal()
        condition.unlock()
    }

    /// Waits for the child.
    func take() -> ChildProcess {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let child { return child }
            condition.wait()
        }
    }
}
