import ArgumentParser

/// A command of ours, with the global options.
protocol GlobalCommand: AsyncParsableCommand, Sendable {
    var global: GlobalOptions { get }
}
