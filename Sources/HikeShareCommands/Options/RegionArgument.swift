import ArgumentParser

/// The argument that names a region.
struct RegionArgument: ParsableArguments {
    @Argument(help: .region, completion: .region)
    var words: [String]

    /// The name or id; a name needs no quotation marks.
    var name: String { words.joined(separator: " ") }
}

extension ArgumentHelp {
    /// What the help says of the name of a region.
    static let region = ArgumentHelp("Name of the region, or the start of its id.", valueName: "region")
}
