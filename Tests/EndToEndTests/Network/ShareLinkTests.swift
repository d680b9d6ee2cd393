import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// Share links: the whole way from the sender's screen to the receiver.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ShareLinkTests {
    private func withTwo(_ body: (Laptop, Laptop, TemporaryDirectory) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let sender = Laptop(store: directory.path("a"))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await sender.must("import", directory.path("n.mbtiles"))
            try await body(sender, Laptop(store: directory.path("b")), directory)
        }
    }

    /// Sends without a terminal and without `--yes`: only whoever has the share link gets anything.
    private func send(
        _ sender: Laptop,
        _ arguments: [String] = [],
        _ body: (_ child: ChildProcess, _ link: String) async throws -> Void
    ) async throws {
        try await sender.start(["send", "Nordkette", "--no-discovery", "--format", "json"] + arguments) { child in
            let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
            try await body(child, try #require(try JSONValue(parsing: line)["link"]?.string))
            child.kill(SIGINT)
            _ = await child.waitForExit()
        }
    }

    /// Receives with a share link on the standard input.
    private func receive(_ link: String, on receiver: Laptop, _ arguments: [String] = []) async throws -> Ending {
        try await receiver.start(["receive", "--link", "--format", "json"] + arguments) { child in
            try child.write(link + "\n")
            return await child.ending()
        }
    }

    @Test func aLinkOnTheStandardInputIsAllThatIsNeeded() async throws {
        try await withTwo { sender, receiver, _ in
            try await send(sender, ["--once"]) { child, link in
                #expect(link.hasPrefix("HIKESHARE://"))
                let id = try #require(PeerID(hex: try await sender.id()))
                #expect(try ShareLink(parsing: link, for: .hikeshare).sender.matches(id))
                let received = try await receive(link, on: receiver)
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines("offer").first?["peer"]?["admittedByShareLink"]?.bool == true)
                #expect(try received.lines("pairing").isEmpty)
                let sent = await child.ending()
                #expect(sent.code == 0, "\(sent)")
                #expect(try sent.lines("invitation").first?["peer"]?["admittedByShareLink"]?.bool == true)
            }
            try Example.expectSame(sender, receiver)
            #expect(try await sender.trusted().isEmpty)
            #expect(try await receiver.trusted().isEmpty)
        }
    }

    @Test func aLinkIsPastedAtATerminal() async throws {
        try await withTwo { sender, receiver, _ in
            try await send(sender) { _, link in
                try await receiver.inTerminal(["receive", "--link"]) { screen in
                    try await screen.wait(for: "Paste the share link: ")
                    try screen.type(" \(link) \n")
                    try await screen.wait { $0.hasOffer }
                    #expect(screen.words.contains("(by the share link) offers"))
                    #expect(!screen.text.contains("digits"))
                    try screen.type("y\n")
                    let (status, text) = try await screen.complete()
                    #expect(status == .exited(0), "\(text)")
                }
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aTypingMistakeIsToldAndTheLinkIsAskedForAgain() async throws {
        try await withTwo { sender, receiver, _ in
            try await send(sender) { _, link in
                try await receiver.inTerminal(["receive", "--link"]) { screen in
                    try await screen.wait(for: "Paste the share link: ")
                    try screen.type("\(link.dropLast())\n")
                    try await screen.wait { $0.hasSuffix("Please try again.\r\nPaste the share link: ") }
                    #expect(screen.text.contains("The share link has a typing mistake"))
                    try screen.type("\(link.lowercased())\n")
                    try await screen.wait { $0.hasOffer }
                    try screen.type("n\n")
                    let (status, text) = try await screen.complete()
                    #expect(status == .exited(5), "\(text)")
                }
            }
        }
    }

    @Test func whoPipesALinkInAtATerminalIsAskedThere() async throws {
        try await withTwo { sender, receiver, _ in
            try await send(sender) { _, link in
                let script = #"echo "$1" | "$0" receive --link --name Bert"#
                try await receiver.inTerminal(running: "sh", ["-c", script, Place.program, link]) { screen in
                    try await screen.wait { $0.hasOffer }
                    try screen.type("n\n")
                    let (status, text) = try await screen.complete()
                    #expect(status == .exited(5), "\(text)")
                }
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 0)
        }
    }

    @Test func wrongAndOldLinksOpenNothing() async throws {
        try await withTwo { sender, receiver, _ in
            var old = ""
            var port = 0
            try await send(sender) { _, link in
                old = link
                port = try #require(try ShareLink(parsing: link, for: .hikeshare).addresses.first?.port)
                let wrong = try ShareLink.withOtherToken(link)
                let refused = try await receive(wrong, on: receiver, ["--yes"])
                #expect(refused.code == 5, "\(refused)")
                #expect(try refused.problem()["code"]?.string == "declined")

                // The same sender, another key.
                let stranger = try ShareLink.withOtherKey(link)
                let notTheSame = try await receive(stranger, on: receiver, ["--yes"])
                #expect(notTheSame.code == 5, "\(notTheSame)")
                #expect(try notTheSame.problem()["code"]?.string == "notTrusted")
            }
            // The next sender at the same place has a secret of its own.
            try await send(sender, ["--port", "\(port)"]) { _, link in
                #expect(try ShareLink.token(in: link) != ShareLink.token(in: old))
                let refused = try await receive(old, on: receiver, ["--yes"])
                #expect(refused.code == 5, "\(refused)")
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 0)
        }
    }

    @Test(arguments: ["", "\n", "nonsense\n", "hikeshare://10.0.0.1:1/ab#cd\n"])
    func whatIsNoLinkIsSaidToBeNone(input: String) async throws {
        try await withTwo { _, receiver, _ in
            let ending = try await receiver.start(["receive", "--link", "--format", "json"]) { child in
                try child.write(input)
                return await child.ending()
            }
            #expect(ending.code == 64, "\(ending)")
            #expect(try ending.problem()["message"]?.string?.contains("link") == true)
            #expect(!ending.words.contains("#cd"))
        }
    }

    @Test func theSecretIsInNoLogAndNowhereElse() async throws {
        try await withTwo { sender, receiver, _ in
            try await sender.start(["send", "Nordkette", "--no-discovery", "--once", "-vv"]) { child in
                let link = try await child.waitForOutput { $0.hasPrefix("HIKESHARE://") }
                let token = try ShareLink.token(in: link)
                let wrong = try ShareLink.withOtherToken(link)
                let wrongToken = try ShareLink.token(in: wrong)
                let refused = try await receive(wrong, on: receiver, ["-vv"])
                let received = try await receive(link, on: receiver, ["-vv"])
                #expect(received.code == 0, "\(received)")
                let sent = await child.ending()
                #expect(sent.code == 0, "\(sent)")
                #expect((sent.output + sent.errorOutput).filter { $0.contains(token) } == [link])
                for ending in [refused, received] {
                    let all = ending.output + ending.errorOutput
                    #expect(!all.contains { $0.contains(token) || $0.contains(wrongToken) }, "\(ending)")
                }
                for laptop in [sender, receiver] {
                    for path in try FileManager.default.subpathsOfDirectory(atPath: laptop.store) {
                        let data = FileManager.default.contents(atPath: laptop.store + "/" + path) ?? Data()
                        #expect(data.range(of: Data(token.utf8)) == nil, "the secret is in \(path)")
                    }
                }
            }
        }
    }

    @Test func aTerminalShowsTheLinkAsAQRCode() async throws {
        try await withTwo { sender, _, directory in
            try await sender.inTerminal(["send", "Nordkette", "--no-discovery"], columns: 80, rows: 24) { screen in
                let link = try await screen.shareLink()
                let path = directory.path("code.pbm")
                try Self.picture(of: screen.lines).write(toFile: path, atomically: false, encoding: .utf8)
                let (status, output, _) = try await ChildProcess.with("zbarimg", ["--raw", "-q", path]) {
                    await $0.complete()
                }
                #expect(status == .exited(0))
                #expect(output == [link])
            }
        }
    }

    /// The library is installed here; a mount hides it from the program alone.
    @Test func withoutTheLibraryOfQRCodesTheLinkIsShownAllTheSame() async throws {
        let script = """
            set -e
            file=$(PATH="$PATH:/sbin" ldconfig -p | sed -n 's/.*libqrencode.so.4 .*=> //p' | head -n 1)
            mount --bind /dev/null "$file"
            exec "$@"
            """
        let mount = ["--mount", "sh", "-c", script, "sh", Place.program]
        try await withTwo { sender, _, _ in
            try await sender.inTerminal(
                running: "/usr/bin/unshare",
                mount + sender.asInTests(["send", "Nordkette", "--no-discovery"]),
                columns: 120,
                rows: 60
            ) { screen in
                _ = try await screen.shareLink()
                #expect(!screen.text.contains("▀") && !screen.text.contains("QR code"), "\(screen.text)")
            }
        }
    }

    @Test func aWindowThatIsEnlargedShowsTheCode() async throws {
        try await withTwo { sender, _, _ in
            let arguments = ["send", "Nordkette", "--no-discovery"]
            try await sender.inTerminal(arguments, columns: 60, rows: 20) { screen in
                _ = try await screen.senderPort()
                #expect(screen.text.contains("Enlarge the window to at least 41 × 22"), "\(screen.text)")
                #expect(!screen.text.contains("▀"))
                screen.resize(columns: 80, rows: 24)
                try await screen.wait(for: "▀")
            }
        }
    }

    @Test func aSmallTerminalAndAQuietOneShowNone() async throws {
        try await withTwo { sender, _, _ in
            try await sender.inTerminal(["send", "Nordkette", "--no-discovery"], columns: 40) { screen in
                _ = try await screen.senderPort()
                #expect(!screen.text.contains("▀") && screen.words.contains("QR code"), "\(screen.text)")
            }
            try await sender.inTerminal(["send", "Nordkette", "--no-discovery", "-q"], columns: 120, rows: 60) {
                screen in
                _ = try await screen.shareLink()
                try screen.type("\u{03}")
                let (_, text) = try await screen.complete()
                // The link is random, and may contain the letters “QR”.
                #expect(!text.contains("▀") && !text.contains("QR code"), "\(text)")
            }
        }
    }

    /// A picture of the QR code on a screen, with modules of four by four points.
    private static func picture(of lines: [Substring]) throws -> String {
        let start = "\u{1B}[38;5;16;48;5;231m"
        let rows = lines.filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count).prefix { $0 != "\u{1B}" } }
        try #require(!rows.isEmpty, "there is no QR code")
        let points = rows.flatMap { [$0.map { "█▀".contains($0) }, $0.map { "█▄".contains($0) }] }.flatMap { line in
            let wide = line.flatMap { Array(repeating: $0 ? "1" : "0", count: 4) }.joined(separator: " ")
            return Array(repeating: wide, count: 4)
        }
        return "P1\n\((rows.first?.count ?? 0) * 4) \(points.count)\n" + points.joined(separator: "\n") + "\n"
    }
}
