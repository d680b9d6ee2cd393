import PeerCore
import RegionSharing
import RegionStore
import SharingReports
import Synchronization

/// The part of a map that is being made; there is one at a time.
final class CutDisplay: Sendable {
    private let console: Console
    private let work = Mutex<WorkProgress?>(nil)

    init(on console: Console) { self.console = console }

    /// Shows how far it is; nil at its end.
    func show(_ region: RegionSummary, _ receiver: RemotePeer?, _ bytes: (done: Int64, total: Int64)?) {
        work.withLock { work in
            let title: DisplayText =
                receiver.map { "Cutting \(region.name) for \($0.name)" } ?? "Cutting \(region.name)"
            let current = work ?? WorkProgress(title, on: console)
            work = bytes == nil ? nil : current
            guard let (done, total) = bytes else { return current.finish() }
            current.report(done, of: total)
        }
    }
}
