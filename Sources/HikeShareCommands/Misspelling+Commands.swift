import ArgumentParser
import Sentences
import SharingReports

/// Commands and options that do not exist.
extension Misspelling {
    /// Finds the first command or option that does not exist; nil if all exist.
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
        let isOption = what == "option"
        let list: Sentence = isOption ? "'\(help)' lists the options." : "'\(help)' lists the commands."
        return CommandError(
            .usage,
            isOption ? "There is no option “\(name)”." : "There is no command “\(name)”.",
            remedy: Remedy(guess.map { "Did you mean “\($0)”? \(list)" } ?? list)
        )
    }
}
