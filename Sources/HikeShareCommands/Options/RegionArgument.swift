import ArgumentParser
import RegionStore
import SharingReports

/// The argument that names a region.
struct RegionArgument: ParsableArguments {
    @Argument(help: .region, completion: .region)
    var words: [String] = []

    /// The name or id, which needs no quotation marks; empty for the only region.
    var name: String { words.joined(separator: " ") }
}

extension ArgumentHelp {
    static let region = ArgumentHelp("Name of the region, or a part of it.", valueName: "region")
}
