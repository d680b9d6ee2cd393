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
        let names = try NewName(words, example: "") { ["Anna", "Merry Dipper", "Copper", "Copper Crow"].contains($0) }
        #expect(names.current == current && names.new == new)
    }

    @Test(arguments: [["Merry", "Crow", "Anna"], ["Copper", "Crow", "Anna"]])
    func whatIsNotClearIsNotGuessed(words: [String]) {
        let error = #expect(throws: CommandError.self) {
            try NewName(words, example: "hikeshare …") { ["Copper", "Copper Crow"].contains($0) }
        }
        #expect(error?.code == .usage)
        #expect(error?.hints.map(\.string) == ["hikeshare …"])
    }
}
