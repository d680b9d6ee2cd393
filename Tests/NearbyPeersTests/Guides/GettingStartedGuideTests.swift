import NearbyPeers
import PeerTesting
import Testing

/// The examples of the guide "Getting started".
@Suite(.timeLimit(.minutes(10))) struct GettingStartedGuideTests {
    private let chat = Chat()

    @Test func peopleCompareDigitsOnceAndAreTrustedThen() async throws {
        let (knownToAnna, knownToBen) = (KnownPeers(), KnownPeers())
        let trusting = Chat.Setting.set(\.admission, .trusted(comparing: nil))
        let annasList = Chat.Setting { $0.trust = knownToAnna }
        let bensList = Chat.Setting { $0.trust = knownToBen }
        let comparing = Chat.Setting { $0.admission = .trusted { _, _ in .same } }
        try await chat.session("anna", trusting, annasList) { anna in
            try await chat.session("ben", trusting, bensList, comparing) { ben in
                let invitations = try anna.invitations()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await invitation in invitations {
                            #expect(invitation.digits != nil)
                            try await invitation.accept(.same)
                            return
                        }
                    }
                    try await chat.meet(ben, anna)
                    #expect(anna.peer(ben.local.id)?.isVerified == true)
                    #expect(ben.peer(anna.local.id)?.isVerified == true)
                    try await group.waitForAll()
                }
            }
        }
        while await knownToAnna.isEmpty { await Task.yield() }
        while await knownToBen.isEmpty { await Task.yield() }
        // The second time, nobody is asked.
        try await chat.session("anna", trusting, annasList) { anna in
            try await chat.session("ben", trusting, bensList, comparing) { ben in try await chat.meet(ben, anna) }
        }
    }

    @Test func aStrangerWithoutDigitsIsNotConnected() async throws {
        try await chat.session("anna", .set(\.admission, .ask(comparing: nil))) { anna in
            try await chat.session("ben", .set(\.admission, .ask(comparing: nil))) { ben in
                let invitations = try anna.invitations()
                await #expect(throws: PeerError.self) { try await chat.meet(ben, anna) }
                #expect(anna.connectedPeers.isEmpty && ben.connectedPeers.isEmpty)
                _ = invitations
            }
        }
    }

    @Test func aLinkAdmitsWithoutQuestions() async throws {
        try await chat.session("anna", .set(\.admission, .ask(comparing: nil))) { anna in
            try await chat.session("ben", .set(\.admission, .ask(comparing: nil))) { ben in
                let text = try await anna.makeShareLink().text
                let link = try ShareLink(parsing: text, for: ben.local.application)
                let id = try await ben.join(link)
                #expect(id == anna.local.id)
                #expect(ben.connectedPeers == [id])
            }
        }
    }

    @Test func aPeerDeclinesWithItsReason() async throws {
        try await chat.session("anna", .set(\.admission, .closed("We are full.", comparing: nil))) { anna in
            try await chat.session("ben") { ben in
                let error = await #expect(throws: PeerError.self) { try await chat.meet(ben, anna) }
                #expect(error?.code == .declined)
                #expect(error?.message == "We are full.")
            }
        }
    }

    @Test func theAnnouncementCarriesProperties() async throws {
        try await chat.session("anna") { anna in
            try await chat.session("ben") { ben in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try? await anna.advertise(info: ["room": "kitchen"]) }
                    let peer = try await Chat.first(ben.browse())
                    #expect(peer.displayName == "anna")
                    #expect(peer.info["room"] == "kitchen")
                    group.cancelAll()
                }
            }
        }
    }

    @Test func peersThatAreFoundAreInvited() async throws {
        try await chat.session("anna") { anna in
            try await chat.session("ben", .set(\.invites, .everyoneFound)) { ben in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try? await anna.advertise() }
                    try await chat.network.clock.advance(until: { ben.connectedPeers == [anna.local.id] })
                    group.cancelAll()
                }
            }
        }
    }
}

extension KnownPeers {
    var isEmpty: Bool { names.isEmpty }
}
