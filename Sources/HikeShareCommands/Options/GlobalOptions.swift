import ArgumentParser
import FoundationEssentials
import Logging
import PeerCore
import RegionStore
import SharingReports

/// The options that every command has.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the store (default: $HIKESHARE_STORE, $XDG_DATA_HOME/hikeshare or ~/.local/share/hikeshare).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var store: String?

    @Option(help: "Output format: text, or json with one object per line.")
    var format: OutputFormat = .text

    @Option(help: "Colors: auto (in a terminal, unless NO_COLOR is set), always or never.")
    var color: ColorChoice = .auto

    @Flag(name: [.short, .long], help: "Print only results, questions, warnings and errors.")
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
    ///
    /// - Parameter missing: The error if there is no store, `access` does not create one, and no option or variable names it.
    func openStore(_ access: StoreAccess, orElse missing: CommandError = .noMaps) throws -> RegionStore {
        let location = try storeLocation
        do {
            return try RegionStore(path: location.path, application: Software.name, access: access)
        } catch var error as RegionStoreError where error.code == .notFound {
            guard location.isNamed else { throw missing }
            error.remedy =
                "Check --store and HIKESHARE_STORE. 'hikeshare import' and 'hikeshare receive' create a store."
            throw error
        }
    }

    /// Opens the store, or creates it and says so.
    func makeStore(_ console: Console) throws -> RegionStore {
        let path = try storePath
        // A worn memory card takes a minute for it.
        if !FileManager.default.fileExists(atPath: path) { console.show("Creating a store in \(path)…") }
        defer { console.show(nil) }
        let store = try openStore(.creating)
        if store.isNew { console.note("Created a store in \(store.path)") }
        return store
    }

    /// Opens the store to list its content; nil if no store was named and the default one does not exist.
    func storeToList() throws -> RegionStore? {
        do {
            return try openStore(.reading)
        } catch let error as CommandError where error.code == .notFound {
            return nil
        }
    }

    /// The path of the store's folder, which may not exist.
    var storePath: String { get throws { try storeLocation.path } }

    private var storeLocation: StoreLocation {
        get throws { try StoreLocation(given: store, environment: ProcessInfo.processInfo.environment) }
    }

    /// Creates the console of the command.
    func makeConsole() -> Console {
        let screen = Screen.current(ProcessInfo.processInfo.environment, color: color)
        let console = Console(format: format, isQuiet: quiet, screen: screen)
        LogOutput.standardError.write(above: console)
        return console
    }
}

/// A command with the global options.
protocol GlobalCommand: AsyncParsableCommand, Sendable {
    var global: GlobalOptions { get }
}

extension OutputFormat: ExpressibleByArgument {}
