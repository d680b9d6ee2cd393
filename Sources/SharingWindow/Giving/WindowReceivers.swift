package import MapPages
import Synchronization

/// The table of those that get something, or send something, as the window shows it.
package final class WindowReceivers: Sendable {
    private let show: @Sendable ([AppWindowReceiver]) -> Void
    private let table = Mutex(ReceiverTable())

    /// Creates the table of the job in a window.
    package init(in window: AppWindow) { show = { window.show($0) } }

    /// Creates the table of what phones send beside the job, as long as they do.
    init(showing phones: AppWindowPhones) { show = { phones.show($0.filter { $0.state == .sends }) } }

    /// Changes the table, and shows it.
    package func note(_ change: @Sendable (inout ReceiverTable) -> Void) {
        table.withLock { table in
            change(&table)
            // Within the lock: an older table must not follow a newer one.
            show(table.rows)
        }
    }
}
