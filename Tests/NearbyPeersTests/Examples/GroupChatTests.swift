import Foundation
import PeerTestSupport
import Testing

/// Eight people who chat, in a network that breaks.
@Suite(.timeLimit(.minutes(10))) struct GroupChatTests {
    private let names = ChatGroup.names

    @Test func eightAreAMeshThatLosesNothing() async throws {
        try await ChatGroup.with { group in
            try await group.runAll { chats in
                try await waitForMesh(of: chats)
                try await checkConnections(group)
                for name in names { try chats[name]?.write("1\n2\n3\n") }
                try await waitForLine("3", of: names, at: chats)
                try await sendFile(group, chats)
                try await cutCable(of: "Cleo", group, chats)
                try await kill("Dora", group, chats)
            }
        }
    }

    /// Waits until everybody shows everybody as connected.
    private func waitForMesh(of chats: [String: ChildProcess], after counts: [String: Int] = [:]) async throws {
        for (name, chat) in chats {
            try await chat.shows(connected: chats.keys.filter { $0 != name }, after: counts[name] ?? 0)
        }
    }

    private func waitForLine(_ line: String, of senders: [String], at chats: [String: ChildProcess]) async throws {
        for (name, chat) in chats {
            for sender in senders where sender != name {
                try await chat.waitForOutput { $0 == "\(sender): \(line)" }
            }
        }
    }

    /// One connection joins each pair as soon as those that lost have been closed.
    private func checkConnections(_ group: ChatGroup) async throws {
        let end = ContinuousClock.now + .patience
        var pairs: [ChatGroup.Pair] = []
        repeat { pairs = try await group.connections() } while pairs.count != 28 && ContinuousClock.now < end
        #expect(pairs.count == 28 && Set(pairs).count == 28 && pairs.allSatisfy { $0.count == 2 }, "\(pairs)")
    }

    private func sendFile(_ group: ChatGroup, _ chats: [String: ChildProcess]) async throws {
        let bytes = Data.pattern(2_000_000)
        let file = group.file("hut.jpg", of: "Anna")
        try bytes.write(to: file)
        try chats["Anna"]?.write("/send \(file.path)\n")
        for name in names.dropFirst() {
            try await chats["Anna"]?.says("-- \(name) has hut.jpg")
            try await chats[name]?.says("-- Anna sent hut.jpg, 2000000 bytes")
            #expect(try Data(contentsOf: group.file("hut.jpg", of: name)) == bytes)
        }
    }

    private func cutCable(of away: String, _ group: ChatGroup, _ chats: [String: ChildProcess]) async throws {
        try await group.host(away).cut()
        for name in names where name != away {
            try await chats[name]?.says("-- \(away): reconnecting")
            try await chats[away]?.says("-- \(name): reconnecting")
        }
        let counts = chats.mapValues(\.outputLines.count)
        for name in names { try chats[name]?.write("4\n") }
        try await group.host(away).join()
        try await waitForMesh(of: chats, after: counts)
        try await waitForLine("4", of: names, at: chats)
        try await checkConnections(group)
    }

    private func kill(_ killed: String, _ group: ChatGroup, _ chats: [String: ChildProcess]) async throws {
        chats[killed]?.kill(SIGKILL)
        let others = chats.filter { $0.key != killed }
        for name in others.keys { try await chats[name]?.says("-- \(killed): reconnecting") }
        let counts = others.mapValues(\.outputLines.count)
        try await group.run(killed) { chat in
            let all = others.merging([killed: chat]) { $1 }
            try await waitForMesh(of: all, after: counts)
            for name in names { try all[name]?.write("5\n") }
            try await waitForLine("5", of: names, at: all)
            try await checkConnections(group)
            await withDiscardingTaskGroup { group in
                for chat in all.values { group.addTask { await chat.leaves() } }
            }
            for (name, chat) in all {
                for other in names where other != name {
                    let expected = name == killed ? ["5"] : ["1", "2", "3", "4", "5"]
                    #expect(chat.lines(of: other) == expected, "\(other) at \(name)")
                }
            }
        }
    }
}
