import SharingReports
import Testing

@testable import HikeShareCommands

@Suite struct NewNameTests {
    @Test(arguments: [
        (["Anna", "Ben"], "Anna", "Ben"),
        // Nothing has this name, which another error says.
        (["Nobody", "Ben"], "Nobody", "Ben"),
        (["Merry Dipper", "Anna of Arinsal"], "Merry Dipper", "Anna of Arinsal"),
        (["Merry", "Dipper", "Anna"], "Merry Dipper", "Anna"),
        (["Anna", "Merry", "Dipper"], "Anna", "Merry Dipper"),
        (["Merry", "Dipper", "Anna", "of", "Arinsal"], "Merry Dipper", "Anna of Arinsal"),
    ])
    func theNewNameBeginsBehindAKnownOne(words: [String], current: String, new: String) throws {
        let names = try NewName(words, example: "") { text, _ in
            ["Anna", "Merry Dipper", "Copper", "Copper Crow"].contains(text)
        }
        #expect(names.current == current && names.new == new)
    }

    @Test func aPartOfANameCountsIfNoWholeNameIsThere() throws {
        func divide(_ words: String) throws -> NewName {
            try NewName(words.split(separator: " ").map(String.init), example: "") { text, isWhole in
                isWhole ? text == "Coma Pedrosa" : "Coma Pedrosa".hasPrefix(text)
            }
        }
        #expect(try divide("Coma My mountains").new == "My mountains")
        #expect(try divide("Coma Pedrosa My mountains").new == "My mountains")
    }

    @Test(arguments: [["Merry", "Crow", "Anna"], ["Copper", "Crow", "Anna"]])
    func whatIsNotClearIsNotGuessed(words: [String]) {
        let error = #expect(throws: CommandError.self) {
            try NewName(words, example: "hikeshare …") { text, _ in ["Copper", "Copper Crow"].contains(text) }
        }
        #expect(error?.code == .usage)
        #expect(error?.hints.map(\.typed.string) == ["hikeshare …"])
    }
}
