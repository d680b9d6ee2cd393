import Foundation
import PeerCore
import RegionStore
import SharingReports
import SharingTestSupport
import Testing

@testable import MapPages
@testable import SharingWindow
@testable import WebServer

/// The machines that this one trusts, in the window.
@Suite struct WindowPeersTests {
    private static let (anna, ben) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))

    private static func with(_ body: (WindowSite) async throws -> Void) async throws {
        try await WindowSite.with { (here: WindowSite) async throws in
            for (id, name) in [(anna, "Anna"), (ben, "Ben")] {
                try here.store.trustedPeers.pin(try #require(PeerID(hex: id)), name: name)
            }
            try await body(here)
        }
    }

    private static func names(_ here: WindowSite) throws -> [String] {
        try #require(try here.json("peers")["peers"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    @Test func thePageShowsThemAndThisMachine() async throws {
        try await Self.with { (here: WindowSite) async throws in
            let all = try here.json("peers")
            let own = try #require(all["own"] as? [String: Any])
            #expect(try own["id"] as? String == here.store.localPeer().id.hex)
            let peers = try #require(all["peers"] as? [[String: Any]])
            #expect(peers.map { $0["id"] as? String } == [Self.anna, Self.ben])
            #expect(peers.allSatisfy { $0["since"] is String && $0["seen"] == nil })
            #expect(peers.first?["short"] as? String == PeerID(hex: Self.anna)?.short)
        }
    }

    @Test func aPersonRenamesAndForgetsThem() async throws {
        try await Self.with { (here: WindowSite) async throws in
            #expect(try here.post("peer-rename", #"{"id":"\#(Self.anna)","name":"Annette"}"#).status == .ok)
            #expect(try Self.names(here) == ["Annette", "Ben"])
            let taken = try here.post("peer-rename", #"{"id":"\#(Self.anna)","name":"ben"}"#)
            #expect(taken.status == .conflict)
            #expect(String(decoding: taken.body, as: UTF8.self).contains("Another trusted peer is called “Ben”"))
            #expect(try here.post("peer-rename", #"{"id":"\#(Self.anna)","name":" "}"#).status == .badRequest)
            #expect(try here.post("peer-forget", #"{"id":"\#(Self.ben)"}"#).status == .ok)
            #expect(try Self.names(here) == ["Annette"])
            #expect(try here.post("peer-forget", #"{"id":"\#(Self.ben)"}"#).status == .notFound)
        }
    }

    /// A name, or the beginning of an id, could be that of another machine by then.
    @Test(arguments: ["Anna", "aaaa", "", "../a"]) func onlyAWholeIDNamesOne(id: String) async throws {
        try await Self.with { (here: WindowSite) async throws in
            #expect(try here.post("peer-forget", #"{"id":"\#(id)"}"#).status == .badRequest)
            #expect(try Self.names(here) == ["Anna", "Ben"])
        }
    }

    // MARK: Phones

    private static func phones(_ here: WindowSite) throws -> [String] {
        try #require(try here.json("peers")["phones"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    @Test func phonesThatHaveANameAreListedRenamedAndForgotten() async throws {
        try await Self.with { (here: WindowSite) async throws in
            let phone = Sample.digest(7)
            try here.store.confirmedPhones.confirm(phone, name: "Ben's phone", alias: "Pixel 8")
            #expect(try Self.phones(here) == ["Ben's phone"])
            let renaming = #"{"id":"\#(phone.hex)","name":"Benny"}"#
            #expect(try here.post("phone-rename", renaming).status == .ok)
            #expect(try Self.phones(here) == ["Benny"])
            // A name of a machine stays that of the machine.
            #expect(try here.post("phone-rename", #"{"id":"\#(phone.hex)","name":"Anna"}"#).status == .ok)
            #expect(try Self.phones(here) != ["Anna"] && Self.names(here) == ["Anna", "Ben"])
            #expect(try here.post("phone-rename", #"{"id":"\#(phone.hex)","name":" "}"#).status == .badRequest)
            for wrong in ["Benny", String(phone.hex.prefix(8)), ""] {
                #expect(try here.post("phone-forget", #"{"id":"\#(wrong)"}"#).status == .badRequest)
            }
            #expect(try here.post("phone-forget", #"{"id":"\#(phone.hex)"}"#).status == .ok)
            #expect(try Self.phones(here).isEmpty)
            #expect(try here.post("phone-forget", #"{"id":"\#(phone.hex)"}"#).status == .notFound)
        }
    }
}
