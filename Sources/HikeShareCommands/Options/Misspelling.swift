import ArgumentParser
import SharingReports

/// Commands and options that do not exist, and those that may have been meant.
enum Misspelling {
    /// Finds the first command or option that does not exist.
    ///
    /// - Parameter arguments: The arguments of the program, with global options behind the command.
    /// - Returns: The error to report; nil if all commands and options exist.
    static func find(in arguments: [String]) -> CommandError? {
        var rest = arguments[...]
        if rest.first == "help" { rest.removeFirst() }
        var command: any ParsableCommand.Type = HikeShare.self
        var path: [String] = []
        while let word = rest.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty {
            let subcommands = command.configuration.subcommands
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                return error("command", (path + [word]).joined(separator: " "), closest(to: word, in: names), path)
            }
            command = next
            path.append(word)
            rest.removeFirst()
        }
        return unknownOption(in: rest, of: command, path)
    }

    /// Returns the candidate that differs least from a word; nil if all of them differ too much.
    static func closest(to word: String, in candidates: [String]) -> String? {
        let limit = max(1, word.count / 3)
        let near = candidates.map { (distance: distance(word.lowercased(), $0), name: $0) }.filter {
            $0.distance <= limit
        }
        return near.min { $0.distance < $1.distance }?.name
    }

    /// Returns how many characters must be inserted, removed, replaced or swapped with the next one.
    ///
    /// (Optimal string alignment distance.)
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(rows[row][column + 1], current[column]) + 1
                least = min(least, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                current.append(least)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }

    private static func unknownOption(
        in words: ArraySlice<String>,
        of command: any ParsableCommand.Type,
        _ path: [String]
    ) -> CommandError? {
        // The root has no options of its own. Those before the command are the global ones, which every command has.
        let global = options(of: ListCommand.self) + ["--generate-completion-script"]
        let known = options(of: command) + (path.isEmpty ? global : [])
        for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
            let name = String(word.prefix { $0 != "=" })
            if !known.contains(name) { return error("option", name, closest(to: name, in: known), path) }
        }
        return nil
    }

    /// The long options of a command, as its help lists them.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        let lines = command.helpMessage(includeHidden: true, columns: 200).split(separator: "\n")
        return lines.flatMap { line -> [String] in
            let words = line.split(separator: " ")
            guard words.first?.hasPrefix("-") == true else { return [] }
            return words.prefix { $0.hasPrefix("-") }.filter { $0.hasPrefix("--") }.map { $0.filter { $0 != "," } }
        }
    }

    private static func error(_ what: String, _ name: String, _ guess: String?, _ path: [String]) -> CommandError {
        let help = (["hikeshare help"] + path).joined(separator: " ")
        let list = "'\(help)' lists the \(what)s."
        return CommandError(
            .usage,
            "There is no \(what) “\(name)”.",
            remedy: Remedy(guess.map { "Did you mean “\($0)”? \(list)" } ?? list)
        )
    }
}
