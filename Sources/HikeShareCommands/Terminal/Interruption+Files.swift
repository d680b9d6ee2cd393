import Dispatch
import Glibc
import RegionStore

extension Interruption {
    /// Does work that writes files, and that a request to stop ends at once without leaving unfinished ones.
    ///
    /// The work need not look for the request: whatever it waits for, a thread of its own ends the program.
    static func leavingNothing<Result>(_ body: () throws -> Result) rethrows -> Result {
        let queue = DispatchQueue(label: "hikeshare.unfinished-files")
        let registered = DispatchSemaphore(value: 0)
        // A program that was started to ignore a signal, as with nohup, goes on ignoring it.
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                UnfinishedFiles.remove { ProblemOutput.exit(CommandError(.interrupted, "Interrupted.")) }
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return source
        }
        // A signal that comes before a source listens is lost.
        for _ in sources { registered.wait() }
        defer {
            for source in sources { source.cancel() }
            for number in numbers { signal(number, SIG_DFL) }
        }
        return try body()
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
