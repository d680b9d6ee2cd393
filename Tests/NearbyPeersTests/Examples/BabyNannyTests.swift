import PeerTestSupport
import Testing

/// Two parents who share a profile, and a third who cannot.
@Suite(.timeLimit(.minutes(10))) struct BabyNannyTests {
    private static let inviting = ["--invite", "--everyone"]

    @Test func aSnapshotAndDeltasAreAcknowledgedAndAThirdHearsBusy() async throws {
        try await ExampleProgram.with("BabyNanny") { nanny in
            try await nanny.run(.a, "Anna") { anna in
                try anna.write("slept 2 h\n")
                try await nanny.run(.b, "Ben", Self.inviting) { ben in
                    try await ben.says("Anna sent the profile of Mia: 1 new, 1 in all")
                    try await anna.says("Ben sent the profile of Mia: 0 new, 1 in all")
                    try await anna.waitForOutput { $0.hasPrefix("Ben has the profile: receipt ") }
                    try await anna.says("Ben takes messages of at most 1048576 bytes")
                    try ben.write("drank 120 ml\n")
                    try await anna.says("Ben sent changes: 1 new, 2 in all")
                    try await ben.waitForOutput { $0.hasPrefix("Anna has 1 more: receipt ") }
                    try await nanny.run(.b, "Cleo", Self.inviting) { cleo in
                        try await cleo.says(
                            "Anna is busy: The other machine is already connected to as many machines as it accepts."
                        )
                        await cleo.leaves()
                    }
                    try anna.write("laughed\n")
                    try await ben.says("Anna sent changes: 1 new, 3 in all")
                    await ben.leaves()
                    await anna.leaves()
                }
            }
        }
    }

    @Test func theLongestMessageOfASideIsRespected() async throws {
        try await ExampleProgram.with("BabyNanny") { nanny in
            try await nanny.run(.a, "Anna") { anna in
                for number in 1...40 { try anna.write("\(number): " + String(repeating: "x", count: 400) + "\n") }
                try await nanny.run(.b, "Ben", Self.inviting + ["--small"]) { ben in
                    try await anna.says("Ben takes messages of at most 4096 bytes")
                    try await ben.says(" 40 in all")
                    try anna.write(String(repeating: "y", count: 5000) + "\n")
                    try await anna.says("Ben does not get this: it is longer than a message may be")
                    await ben.leaves()
                    await anna.leaves()
                }
            }
        }
    }

    @Test func anOlderProgramMissesWhatItDoesNotKnowAndTheRestWorks() async throws {
        try await ExampleProgram.with("BabyNanny") { nanny in
            try await nanny.run(.a, "Anna") { anna in
                try await nanny.run(.b, "Ben", Self.inviting + ["--newer"]) { ben in
                    try await ben.says("Anna has an older program, which knows no reminders")
                    try await anna.says("Ben sent the profile of Mia: 0 new, 0 in all")
                    try ben.write("slept 1 h\n")
                    try await anna.says("Ben sent changes: 1 new, 1 in all")
                    try anna.write("woke up\n")
                    try await ben.says("Anna sent changes by an unknown person: 1 new, 2 in all")
                    await ben.leaves()
                    await anna.leaves()
                }
            }
        }
    }
}
