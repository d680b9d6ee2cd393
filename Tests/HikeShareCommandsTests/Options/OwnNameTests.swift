import ArgumentParser
import PeerCore
import PeerTestSupport
import RegionSharing
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import RegionStore

@Suite struct OwnNameTests {
    private static func store(_ body: (RegionStore) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            try await body(try RegionStore(path: directory.path("store")))
        }
    }

    /// The options of `receive`, as they are typed.
    private static func options(_ arguments: String...) throws -> SharingOptions {
        try SharingOptions.parse(arguments)
    }

    @Test(arguments: ["", "  ", String(repeating: "é", count: 32)]) func isOneLineOfAFewWords(text: String) {
        #expect(OwnName(argument: text) == nil)
        #expect(OwnName(argument: " Anna\n Maria ")?.text == "Anna Maria")
        #expect(OwnName(argument: OwnName.usual)?.text == OwnName.usual)
    }

    @Test(arguments: ["\0", "Anna\0", "\u{1B}[31mAnna", "\u{200B}", "\u{202E}", "\u{3164}\u{FEFF}"])
    func hasSomethingToSeeAndNoControls(text: String) { #expect(OwnName(argument: text) == nil) }

    /// A joiner holds an emoji of a family together.
    @Test(arguments: ["👨‍👩‍👧", "نیما می‌رود"]) func anyWritingIsAName(text: String) {
        #expect(OwnName(argument: text)?.text == text)
    }

    @Test func isAskedForOnceAndKept() async throws {
        try await Self.store { store in
            let (terminal, input) = (TerminalModel(columns: 80), try Pipe())
            input.write(String(repeating: "x", count: 64) + "\n Anna  Maria\n")
            let console = terminal.console(input: input.reader)
            #expect(try await Self.options().localPeer(of: store, console).displayName == "Anna Maria")
            #expect(
                terminal.text.contains("What should others call you? [Enter: \(OwnName.usual)]"),
                "\(terminal.text)"
            )
            #expect(terminal.text.contains("That name is too long."), "\(terminal.text)")
            // A further question would find no answer.
            input.closeWriter()
            #expect(try await Self.options().localPeer(of: store, console).displayName == "Anna Maria")
            #expect(terminal.text.ranges(of: "call you").count == 2, "\(terminal.text)")
            // An option gives another name from now on.
            #expect(try await Self.options("--name", "Ben").localPeer(of: store, console).displayName == "Ben")
            #expect(try store.localPeer().displayName == "Ben")
        }
    }

    /// A yes may have been typed for another question.
    @Test func isNoAnswerToAnotherQuestion() async throws {
        try await Self.store { store in
            let (terminal, input) = (TerminalModel(columns: 80), try Pipe())
            input.write("y\nn\nAnna\n")
            let console = terminal.console(input: input.reader)
            #expect(try await Self.options().localPeer(of: store, console).displayName == "Anna")
            #expect(terminal.text.contains("Really “y”?"), "\(terminal.text)")
        }
    }

    @Test func isTheUsualOneIfThePersonJustPressesEnter() async throws {
        try await Self.store { store in
            let input = try Pipe()
            input.write("\n")
            let console = TerminalModel(columns: 80).console(input: input.reader)
            #expect(try await Self.options().localPeer(of: store, console).displayName == OwnName.usual)
            #expect(try store.displayName() == OwnName.usual)
        }
    }

    @Test(arguments: [true, false]) func isNotAskedForIfNothingIsAsked(acceptsAll: Bool) async throws {
        try await Self.store { store in
            let terminal = TerminalModel(columns: 80)
            let options = try acceptsAll ? Self.options("--yes") : Self.options()
            let local = try await options.localPeer(of: store, terminal.console(canAsk: acceptsAll))
            #expect(local.displayName == OwnName.usual)
            #expect(terminal.text.isEmpty, "\(terminal.text)")
            // The next command in a terminal asks.
            #expect(try store.displayName() == nil)
        }
    }
}
