import RegionStore
import SharingReports

/// The command line before it is parsed.
enum CommandArguments {
    private static let withValue: Set<String> = ["--store", "--format", "--color"]
    private static let groups: Set<String> = ["peers", "waypoint"]
    private static let flags: Set<String> = ["--quiet", "-q", "--verbose", "-v", "-vv"]

    /// Moves global options before the command behind it, where the parser expects them.
    static func globalOptionsLast(_ arguments: [String]) -> [String] {
        let (moved, rest) = globalOptions(before: arguments)
        // Help is the same for every store.
        if let first = rest.first, ["help", "--help", "-h", "--version"].contains(first) { return Array(rest) }
        guard let command = rest.first, !command.hasPrefix("-") else { return arguments }
        let isGroup = groups.contains(command) && rest.dropFirst().first?.hasPrefix("-") == false
        let words = rest.prefix(isGroup ? 2 : 1)
        return words + moved + rest.dropFirst(words.count)
    }

    /// Returns whether there are global options and nothing else.
    static func haveNoCommand(_ arguments: [String]) -> Bool { globalOptions(before: arguments).rest.isEmpty }

    /// Divides arguments into the global options at their beginning and the rest.
    private static func globalOptions(before arguments: [String]) -> (moved: [String], rest: ArraySlice<String>) {
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
        return (moved, rest)
    }

    /// Returns whether a shell asks for completions, which the argument parser answers.
    static func askForCompletions(_ arguments: [String]) -> Bool { arguments.first == "---completion" }

    /// Returns whether the output is read by a shell: completions, or the script that asks for them.
    static func isForShell(_ arguments: [String]) -> Bool {
        askForCompletions(arguments) || arguments.contains { $0.hasPrefix("--generate-completion-script") }
    }

    /// Marks positions such as `-33.9,18.4` and `-33.9, -18.4`, and areas, which the parser would take for options.
    ///
    /// A space in front of a position has no meaning.
    static func markingPositions(_ arguments: [String]) -> [String] {
        arguments.indices.map { index in
            let argument = arguments[index]
            let before = index > 0 && arguments[index - 1].hasSuffix(",") ? arguments[index - 1] : ""
            let after = argument.hasSuffix(",") && index + 1 < arguments.count ? arguments[index + 1] : ""
            let isNegative = argument.hasPrefix("-") && argument.dropFirst().first?.isNumber == true
            let isPlace =
                Coordinate(text: before + argument + after) != nil || (try? AreaValue(parsing: argument)) != nil
            return isNegative && isPlace ? " " + argument : argument
        }
    }

    /// Joins options with the negative numbers behind them, which the parser would take for options.
    static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        for argument in arguments {
            let isNumber = argument.hasPrefix("-") && Double(argument) != nil
            if isNumber, let last = joined.last, last.hasPrefix("--"), last.count > 2, !last.contains("=") {
                joined[joined.count - 1] = "\(last)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    /// The requested output format, detected without parsing, for errors of the parser.
    static func format(_ arguments: [String]) -> OutputFormat {
        value(of: "--format", in: arguments).flatMap(OutputFormat.init(rawValue:)) ?? .text
    }

    /// The requested use of colours, detected without parsing.
    static func color(_ arguments: [String]) -> ColorChoice {
        value(of: "--color", in: arguments).flatMap(ColorChoice.init(rawValue:)) ?? .auto
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { break }
            if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
            if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
        }
        return nil
    }
}
