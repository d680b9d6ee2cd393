import Glibc
package import PeerStorage
import PeerTestSupport
package import RegionStore

/// Sees every step of a store, its database's included, and lets one go wrong.
package final class StepRecorder: StoreFaultInjector {
    /// What happens at a step.
    package enum Plan: Sendable {
        case record
        /// The process is killed before the step of that number.
        case kill(before: Int)
        /// The step of that number goes wrong.
        case fail(at: Int, Fault)
    }

    /// Who looks at the disk.
    package struct Lookers: Sendable {
        /// Is called before a step.
        package var before: @Sendable (Int, Step) -> Void
        /// Is called when a file or folder was put on the disk.
        package var synchronized: @Sendable (_ path: String) -> Void

        package init(
            before: @escaping @Sendable (Int, Step) -> Void,
            synchronized: @escaping @Sendable (_ path: String) -> Void
        ) {
            self.before = before
            self.synchronized = synchronized
        }
    }

    /// The folder in which the store is; paths of steps begin behind it.
    package let folder: String
    private let plan: Plan
    private let hasLinks: Bool
    private let lookers: Lookers?
    private let recorded = Locked<[Step]>([])

    package init(in folder: String, _ plan: Plan = .record, hasLinks: Bool = true, lookers: Lookers? = nil) {
        self.folder = folder
        self.plan = plan
        self.hasLinks = hasLinks
        self.lookers = lookers
    }

    /// The steps so far.
    package var steps: [Step] { recorded.value }

    package func reach(_ point: FaultPoint) {
        _ = take(.point(point))
    }

    package func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int {
        let fault = take(.file(operation, relative(path)))
        if operation == .link, !hasLinks { throw SystemError(number: EPERM) }
        guard let fault else { return count }
        if fault == .short, count > 1 { return count / 2 }
        throw SystemError(number: fault.number)
    }

    package func end(_ operation: FileOperation, _ path: String) {
        if operation == .synchronize { lookers?.synchronized(path) }
    }

    /// Is asked before SQLite does something; returns what goes wrong with it.
    func begin(_ operation: DatabaseOperation, _ path: String) -> Fault? {
        take(.database(operation, relative(path)))
    }

    /// Is told that SQLite has put a file or a folder on the disk.
    func synchronized(_ path: String) {
        lookers?.synchronized(path)
    }

    private func take(_ step: Step) -> Fault? {
        let number = recorded.withLock { steps in
            steps.append(step)
            return steps.count - 1
        }
        lookers?.before(number, step)
        switch plan {
        case .record: return nil
        case .kill(let end):
            if number == end { kill(getpid(), SIGKILL) }
            return nil
        case .fail(let start, let fault):
            guard number == start || fault.stays && number > start, fault.applies(to: step) else { return nil }
            return fault
        }
    }

    private func relative(_ path: String) -> String {
        path == folder ? "." : path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.utf8.count + 1)) : path
    }
}
