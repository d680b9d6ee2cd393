import Sentences
import SharingReports

/// Arguments that the parser would take for something else than a person means.
enum ArgumentFaults {
    /// The options whose value may be empty.
    private static let mayBeEmpty: Set<String> = ["--note"]
    /// The options whose value is a file or folder.
    private static let ofPaths: Set<String> = [
        "--export", "--gpx", "--html", "--osmand", "--pdf", "--routing", "--stick", "--store", "--to",
    ]

    /// Finds an empty argument, or a `-` in the place of a file.
    ///
    /// A script passes an empty text if a variable is not set. It must not stand for the default store or the only region.
    static func find(in arguments: [String]) -> CommandError? {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        for (index, argument) in arguments.enumerated() {
            var (option, value) = (nil as String?, argument)
            if index < end, argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") {
                (option, value) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
            } else if index > 0, index <= end, arguments[index - 1].hasPrefix("--") {
                option = arguments[index - 1]
            }
            if value.isEmpty, option.map({ !mayBeEmpty.contains($0) }) ?? true {
                return CommandError(
                    .usage,
                    option.map { "The text after \($0) is empty." } ?? "An argument is empty.",
                    remedy: "If it comes from a variable of a script, check that the variable is set."
                )
            }
            let isFile = option.map(ofPaths.contains) ?? (arguments.first == "import" && index > 0)
            if value == "-", isFile {
                return CommandError(
                    .usage,
                    "“-” is no file: hikeshare reads and writes files, not standard input and output.",
                    remedy: "Name a file. A file with this name is ./-"
                )
            }
        }
        return nil
    }
}
