import ArgumentParser

/// A command with the global options.
protocol GlobalCommand: AsyncParsableCommand, Sendable {
    var global: GlobalOptions { get }
}
