import ArgumentParser
import Foundation
import SharingReports
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

/// What people see in a terminal, screen by screen.
@Suite struct ScreenTests {
    private static let screens: [(name: String, show: @Sendable (Console) throws -> Void)] = [
        ("send", Screens.send), ("send-code", Screens.sendCode), ("send-asks", Screens.sendAsks),
        ("send-progress", Screens.sendProgress),
        ("send-reports", Screens.sendReports), ("send-connection-lost", Screens.sendConnectionLost),
        ("receive-waits", Screens.receiveWaits), ("receive-finds", Screens.receiveFinds),
        ("receive-digits", Screens.receiveDigits), ("receive-offer", Screens.receiveOffer),
        ("part", Screens.part), ("signed", Screens.signed),
        ("send-several", Screens.sendSeveral), ("receive-list", Screens.receiveList),
        ("receive-keep", Screens.receiveKeep),
        ("receive-replaces", Screens.receiveReplaces), ("receive-progress", Screens.receiveProgress),
        ("receive-turn", Screens.receiveTurn),
        ("receive-report", Screens.receiveReport), ("receive-connection-lost", Screens.receiveConnectionLost),
        ("receive-interrupted", Screens.receiveInterrupted), ("list", Screens.list), ("show", Screens.show),
        ("first-words", Screens.firstWords), ("import", Screens.importFiles), ("plan", Screens.plan),
        ("foreign", Screens.foreign),
        ("peers", Screens.peers), ("errors", Screens.errors),
        ("doctor", Screens.doctor), ("doctor-network", Screens.doctorNetwork), ("doctor-peers", Screens.doctorPeers),
        ("doctor-this-machine", Screens.doctorThisMachine), ("doctor-hints", Screens.hints),
        ("send-hotspot", Screens.sendHotspot), ("send-hotspot-asks", Screens.sendHotspotAsks),
        ("receive-joins", Screens.receiveJoins), ("errors-wi-fi", Screens.wiFiErrors),
        ("send-phones", Screens.sendToPhones),
    ]

    @Test(arguments: screens.map(\.name), [80, 60, 40]) func isAsItShouldBe(name: String, columns: Int) throws {
        try Golden.expect(try screen(name, columns), is: "\(name)-\(columns)")
    }

    /// Words that cannot be broken may be wider than the window, and commands and links must not be broken.
    @Test(arguments: screens.map(\.name), [100, 80, 60, 40]) func fitsTheWindow(name: String, columns: Int) throws {
        let terminal = TerminalModel(columns: 1000)
        try show(name, on: terminal.console(columns: columns))
        for line in terminal.text.split(separator: "\n") where DisplayText(escaping: String(line)).width > columns {
            let bare = line.drop { $0 == " " }
            let commands = ["hikeshare ", "sudo ", "ls ", "du ", "nmcli "]
            let isWhole = commands.contains(where: bare.hasPrefix) || line.contains("hikeshare://")
            #expect(isWhole || line.split(separator: " ").count <= 2, "\(line)")
        }
    }

    @Test(arguments: ["", "send", "receive", "import", "plan", "export", "remove", "peers", "doctor"], [80, 60])
    func helpIsAsItShouldBe(command: String, columns: Int) throws {
        let type = HikeShare.configuration.subcommands.first { $0.configuration.commandName == command }
        let text =
            type.map { HikeShare.helpMessage(for: $0, columns: columns) } ?? HikeShare.helpMessage(columns: columns)
        try Golden.expect(text, is: "help\(command.isEmpty ? "" : "-")\(command)-\(columns)")
    }

    private func screen(_ name: String, _ columns: Int) throws -> String {
        let terminal = TerminalModel(columns: columns)
        try show(name, on: terminal.console())
        #expect(terminal.unknownSequences.isEmpty)
        // Times are shown in the time zone of this machine.
        return terminal.text.replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d/#, with: "2025-06-15 15:06")
            .replacing(Screens.identity?.id.short ?? "-", with: "0c03-9315-5358-31fd")
    }

    private func show(_ name: String, on console: Console) throws {
        try #require(Self.screens.first { $0.name == name }).show(console)
    }
}
