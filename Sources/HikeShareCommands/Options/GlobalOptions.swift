import ArgumentParser
import FoundationEssentials
import Logging
import PeerCore
import RegionStore

/// The options that every command has.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder of the store (default: $HIKESHARE_STORE, else ~/.local/share/hikeshare).",
            valueName: "dir"
        )
    )
    var store: String?

    @Option(name: .long, help: "Output format: text, or json with one object per line.")
    var format: OutputFormat = .text

    @Flag(name: [.short, .long], help: "Print only results and errors.")
    var quiet = false

    @Flag(
        name: [.customShort("v"), .customLong("verbose")],
        help: "Write a log to standard error; -vv includes frames and timers."
    )
    var verbosity: Int

    /// The level below which nothing is logged.
    var logLevel: Logger.Level {
        switch verbosity {
        case ..<1: .warning
        case 1: .debug
        default: .trace
        }
    }

    /// Opens the store.
    func openStore() throws -> RegionStore {
        try RegionStore(
            path: StoreLocation.path(given: store, environment: ProcessInfo.processInfo.environment),
            application: Software.name
        )
    }

    /// Creates the console of the command.
    func makeConsole() -> Console {
        let console = Console(format: format, isQuiet: quiet)
        LogOutput.standardError.write(above: console)
        return console
    }
}
