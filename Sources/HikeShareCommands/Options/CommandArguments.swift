/// The command line before it is parsed.
enum CommandArguments {
    private static let withValue: Set<String> = ["--store", "--format"]
    private static let groups: Set<String> = ["peers"]
    private static let flags: Set<String> = ["--quiet", "-q", "--verbose", "-v", "-vv"]

    /// Moves global options before the command behind it, where the parser expects them.
    static func globalOptionsLast(_ arguments: [String]) -> [String] {
        var rest = arguments[...]
        var moved: [String] = []
        while let first = rest.first {
            if flags.contains(first) || withValue.contains(where: { first.hasPrefix($0 + "=") }) {
                moved.append(rest.removeFirst())
            } else if withValue.contains(first), rest.count > 1 {
                moved += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        guard let command = rest.first, !command.hasPrefix("-") else { return arguments }
        let isGroup = groups.contains(command) && rest.dropFirst().first?.hasPrefix("-") == false
        let words = rest.prefix(isGroup ? 2 : 1)
        return words + moved + rest.dropFirst(words.count)
    }

    /// The requested output format, detected without parsing, for errors of the parser.
    static func format(_ arguments: [String]) -> OutputFormat {
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { break }
            if argument == "--format=json" { return .json }
            if argument == "--format", index + 1 < arguments.count, arguments[index + 1] == "json" { return .json }
        }
        return .text
    }
}
