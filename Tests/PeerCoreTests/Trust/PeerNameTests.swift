import PeerCore
import Testing

/// Names that people take for one another.
@Suite struct PeerNameTests {
    @Test(arguments: [
        ("Anna Riba", "anna riba"), ("Anna Riba", "AnnaRiba"), ("Ben", "b e n"), ("Ben", " Ben\u{2003}"),
        ("Anna", "\u{410}nna"), ("Anna", "An\u{200B}na"),
    ])
    func areAlike(_ first: String, _ second: String) {
        #expect(PeerName.areAlike(first, second))
        #expect(PeerName.areAlike(second, first))
    }

    @Test(arguments: [("Anna", "Ana"), ("Ben", "Bea"), ("Anna Riba", "Anna Rita"), ("Ben", "")])
    func areDifferent(_ first: String, _ second: String) {
        #expect(!PeerName.areAlike(first, second))
    }
}
