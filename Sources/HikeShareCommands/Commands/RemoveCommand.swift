import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare remove`.
struct RemoveCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a region with everything that belongs to it."
    )

    @Argument(help: "The region: its name or the start of its id.")
    var region: String

    @Flag(name: .long, help: "Ask nothing: say yes.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore()
        let region = try store.region(matching: region)
        if !yes { try await confirm(region, console) }
        let counts = try store.remove(region.id)
        console.emit(RemovalReport(region: region, counts: counts))
    }

    private func confirm(_ region: RegionSummary, _ console: Console) async throws {
        guard console.canAsk else {
            throw CommandError(
                .noTerminal,
                "There is no terminal to ask at whether “\(region.name)” may be removed.",
                remedy: "Add --yes to remove it without asking."
            )
        }
        let what: DisplayText =
            "\(DisplayText(quoting: region.name)) (\(region.shortID)): \(region.contents), \(Wording.size(region.fileSize))"
        guard try await console.confirm(introduction: what, "Remove it for good?") else {
            throw CommandError(.declined, "Nothing was removed.")
        }
    }
}
