import ArgumentParser
import FoundationEssentials
import MapPages
import PeerCore
import RegionStore

/// Performs what a person wants in the window: the commands `receive` and `send`, one after the other.
struct AppWindowJobs: Sendable {
    var window: AppWindow
    /// The path of the store.
    var store: String

    /// Performs jobs until the window is closed, or no page of it is open any more.
    ///
    /// - Parameter endsWithPages: Whether it ends some time after the last page was closed.
    func run(endsWithPages: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            if endsWithPages { group.addTask { await closeWithPages() } }
            for await job in window.jobs {
                // A closed window must not keep the program running: a request is then more than a no to a question.
                let problem = await Interruption.stopping(by: job.stops) {
                    window.isClosed
                } _: {
                    await perform(job.wish)
                }
                window.end(problem)
            }
            group.cancelAll()
        }
    }

    private func closeWithPages() async {
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            if window.isAbandoned { return window.close() }
        }
    }

    /// Runs a command; returns what has gone wrong, if anything has.
    ///
    /// A request to stop cancels what the command does outside its own watches, such as the question for a name.
    private func perform(_ wish: AppWindow.Wish) async -> AppWindowText? {
        do {
            let console = Console(in: window)
            switch wish {
            case .receive(let options):
                var command = try ReceiveCommand.parse(Self.arguments(options))
                command.global.store = store
                let receive = command
                try await Interruption.watch { try await receive.run(on: console) }
            case .send(let id, let options):
                var command = try SendCommand.parse([id] + Self.arguments(options))
                command.global.store = store
                let send = command
                try await Interruption.watch { try await send.run(on: console) }
            }
            return nil
        } catch {
            return AppWindowText(ProblemReport(error).windowText)
        }
    }

    static func arguments(_ options: AppWindow.ReceiveOptions) -> [String] {
        (options.hasLink ? ["--link"] : []) + (options.joins ? ["--join"] : [])
    }

    static func arguments(_ options: AppWindow.SendOptions) -> [String] {
        (options.makesNetwork ? ["--hotspot"] : []) + (options.hasPage ? ["--web"] : [])
    }
}
