import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// The names of peers while the session runs.
@Suite(.timeLimit(.minutes(5))) struct RenamingTests {
    /// A list of peers that are all trusted, or known.
    private struct List: TrustStore {
        var entries: [PeerID: PeerTrust] = [:]
        var names: [String] = []
        /// The names about which it was asked.
        let asked = Locked<[String]>([])

        func trust(of id: PeerID, callingItself name: String) -> PeerTrust {
            asked.withLock { $0.append(name) }
            if let entry = entries[id] { return entry }
            let trusted = entries.values.compactMap(\.listedName)
            return (names + trusted).contains(name) ? .impostor(name: name) : .unknown
        }
        func pin(_ id: PeerID, name: String) {}
    }

    @Test(arguments: [Topology.mesh, .star])
    func connectedPeersSeeANewName(topology: Topology) async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.topology = topology }) { anna in
            try await world.session("ben", Settings { $0.topology = topology }) { ben in
                try await ben.invite(at: [world.address(of: anna)])
                await ben.rename("Benjamin")
                #expect(ben.local.displayName == "Benjamin" && ben.name(of: ben.local.id) == "Benjamin")
                try await world.until { anna.name(of: ben.local.id) == "Benjamin" }
                #expect(anna.peer(ben.local.id)?.state == .connected)
            }
        }
    }

    /// Whoever connects later sees the new name, and so does whoever looks around.
    @Test func aNewNameIsAnnouncedAndSaidOnNewConnections() async throws {
        let world = World(.memory)
        try await world.sessions { anna, ben in
            let advertising = Task { try await anna.advertise() }
            defer { advertising.cancel() }
            var lists = ben.browse().makeAsyncIterator()
            while try await lists.next()?.map(\.displayName) != ["anna"] {}
            await anna.rename("Anna-Maria")
            while try await lists.next()?.map(\.displayName) != ["Anna-Maria"] {}
            // The port is that of the session, but the machine is found by its first name.
            let address = try #require(await anna.addresses.first)
            try await ben.invite(at: [address])
            #expect(ben.name(of: anna.local.id) == "Anna-Maria")
        }
    }

    @Test func nobodyTakesTheNameOfATrustedPeer() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.trust = List(names: ["Cleo"]) }) { anna in
            try await world.session("ben") { ben in
                let refused = Locked<[PeerID]>([])
                let events = anna.events()
                let reading = Task {
                    for await case .refused(let peer, let error) in events where error.code == .notTrusted {
                        refused.withLock { $0.append(peer.id) }
                    }
                }
                defer { reading.cancel() }
                try await ben.invite(at: [world.address(of: anna)])
                await ben.rename("Cleo")
                try await world.until { refused.value == [ben.local.id] }
                #expect(anna.name(of: ben.local.id) == "ben")
                // What else Ben says of himself later is no reason to warn again.
                try await world.session("cara") { cara in
                    // The machine is found by its first name, so not by that of the session.
                    try await cara.invite(at: await ben.addresses)
                    try await world.until { anna.peer(cara.local.id)?.state == .connected }
                }
                #expect(refused.value == [ben.local.id])
                await ben.rename("Benjamin")
                try await world.until { anna.name(of: ben.local.id) == "Benjamin" }
            }
        }
    }

    /// A peer that tries names of trusted peers again and again is reported a few times, and the list is asked as rarely.
    @Test func aFloodOfTakenNamesIsReportedAFewTimes() async throws {
        let world = World(.memory)
        let names = ["Cleo", "Dora"]
        let list = List(names: names)
        try await world.session("anna", Settings { $0.trust = list }) { anna in
            try await world.session("ben") { ben in
                let refused = Locked(0)
                let events = anna.events()
                let reading = Task {
                    for await case .refused in events { refused.withLock { $0 += 1 } }
                }
                defer { reading.cancel() }
                try await ben.invite(at: [world.address(of: anna)])
                for number in 0..<30 {
                    await ben.rename(names[number % 2])
                    if number < 2 { try await world.until { refused.value == number + 1 } }
                    // Time for the list to be asked; it is not asked again.
                    for _ in 0..<200 { await Task.yield() }
                    // This one is seen when the one before was.
                    await ben.rename("Ben \(number)")
                    try await world.until { anna.name(of: ben.local.id) == "Ben \(number)" }
                }
                #expect(refused.value == 2)
                #expect(list.asked.value.count { names.contains($0) } <= 2, "\(list.asked.value)")
            }
        }
    }

    /// Anna trusts both; the one takes the name of the other while he is connected, or before.
    @Test(arguments: [false, true]) func noFriendTakesTheNameOfAnotherFriend(before: Bool) async throws {
        let world = World(.memory)
        let (ben, cleo) = (try world.configuration("ben").local.id, try world.configuration("cleo").local.id)
        let friends = List(entries: [ben: .trusted(name: "ben"), cleo: .trusted(name: "Cleo")])
        let refused = Locked<[PeerID]>([])
        try await world.session("anna", Settings { $0.trust = friends }) { anna in
            let events = anna.events()
            let reading = Task {
                for await case .refused(let peer, _) in events { refused.withLock { $0.append(peer.id) } }
            }
            defer { reading.cancel() }
            try await world.session("ben", Settings { if before { $0.local.displayName = "Cleo" } }) { ben in
                try await ben.invite(at: [world.address(of: anna)])
                if !before { await ben.rename("Cleo") }
                try await world.until { refused.value == [ben.local.id] }
                #expect(anna.name(of: ben.local.id) == "ben")
                #expect(anna.peer(ben.local.id)?.isVerified == true)
                // A name that nobody has is his to choose.
                await ben.rename("Benjamin")
                try await world.until { anna.name(of: ben.local.id) == "Benjamin" }
            }
        }
    }

    /// Introduced members that are kept are members after a restart, too, and not shown as verified.
    @Test func knownPeersComeInUnverified() async throws {
        let world = World(.memory)
        let ids = try ["anna", "ben"].map { try world.configuration($0).local.id }
        let known = List(entries: [ids[0]: .known(name: "anna"), ids[1]: .known(name: "ben")])
        @Sendable func settings(_ configuration: inout PeerSession.Configuration) {
            configuration.admission = .trusted(comparing: nil)
            configuration.trust = known
        }
        try await world.session("anna", settings) { anna in
            try await world.session("ben", settings) { ben in
                try await ben.invite(at: [world.address(of: anna)])
                #expect(ben.peer(anna.local.id)?.isVerified == false)
                try await world.until { anna.peer(ben.local.id)?.state == .connected }
                #expect(anna.peer(ben.local.id)?.isVerified == false)
            }
        }
    }
}
