import Glibc
import PeerCore
import RegionSharing
import RegionStore

/// The examples of `RegionSharing`; `DocumentTests` compares them with its guides and comments.
enum SharingGuideExamples {
    static func overview() async throws {
        struct Silent: Person {
            func tell(_ happening: Happening) {}
            func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }
        }

        let store = try RegionStore(path: "/home/anna/maps")
        let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "kiosk 1")
        let keeper = RegionKeeper(into: store, as: local, rule: KeepRule(takesNew: true), person: Silent())
        try await keeper.run()
    }

    struct Terminal: Person {
        func tell(_ happening: Happening) {
            if case .receiving(.received(let region, isLast: _)) = happening { print("Received \(region.regionName)") }
        }

        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
            switch question {
            case let offer as OfferQuestion:
                if let digits = offer.offer.digits { print("Both screens must show \(digits.text). If not, say no.") }
                print("Take \(offer.offer.region.name) from \(offer.offer.peer.displayName)?")
                let answer: OfferQuestion.Answer = readLine() == "y" ? .everything : .nothing
                return answer as? Asked.Answer ?? question.defaultAnswer
            default:
                return question.defaultAnswer
            }
        }
    }

    struct Log: Person {
        func tell(_ happening: Happening) {
            switch happening {
            case .receiving(.received(let region, isLast: _)): print("Received \(region.regionName)")
            case .problem(let error): print("\(error)")
            default: break
            }
        }

        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer {
            if question is OwnEditsQuestion, let yes = true as? Asked.Answer { return yes }
            return question.defaultAnswer
        }
    }

    static func consent() -> Consent {
        let consent: Consent = isatty(STDIN_FILENO) == 1 ? .person : .knownMachines
        return consent
    }

    static func receive(for person: any Person) async throws {
        let store = try RegionStore(path: "/home/anna/maps")
        let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "maps 1")
        let receiver = RegionReceiver(into: store, as: local, consent: .knownMachines, person: person)
        try await receiver.run(fromSenderMatching: "Ben")
    }

    static func receive(into store: RegionStore, as local: LocalPeer, for person: any Person) async throws {
        let receiver = RegionReceiver(into: store, as: local, consent: .knownMachines, person: person)
        try await receiver.run(fromSenderMatching: "Anna")
    }

    static func keep(for person: any Person) async throws {
        let store = try RegionStore(path: "/home/anna/maps")
        let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "kiosk 1")
        try await RegionKeeper(into: store, as: local, rule: KeepRule(takesNew: true), person: person).run()
    }

    static func keep(_ store: RegionStore, as local: LocalPeer, for person: any Person) async throws {
        let keeper = RegionKeeper(into: store, as: local, rule: KeepRule(takesNew: true), person: person)
        try await keeper.run()
    }

    static func send(for person: any Person) async throws {
        let store = try RegionStore(path: "/home/anna/maps")
        let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "maps 1")
        let regions = try store.regions()
        try await RegionSender(sending: regions, of: store, as: local, consent: .knownMachines, person: person).run()
    }

    static func send(_ store: RegionStore, as local: LocalPeer, for person: any Person) async throws {
        let sender = try RegionSender(
            sending: try store.regions(),
            of: store,
            as: local,
            consent: .knownMachines,
            person: person
        )
        try await sender.run()
    }
}
