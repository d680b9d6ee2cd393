import PeerCore
import RegionSharing
import RegionStore

/// The code of the guides of `RegionSharing`; compiling it here checks the guides.
enum SharingGuideExamples {
    struct Silent: Person {
        func tell(_ happening: Happening) {}
        func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }
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

    static func receive(into path: String) async throws {
        let store = try RegionStore(path: path)
        let local = try store.localPeer(for: try PeerServiceType(validating: "hikeshare"), software: "maps 1")
        let receiver = RegionReceiver(into: store, as: local, consent: .knownMachines, person: Terminal())
        try await receiver.run(fromSenderMatching: "Anna")
    }

    static func keep(_ store: RegionStore, as local: LocalPeer) async throws {
        let keeper = RegionKeeper(into: store, as: local, rule: KeepRule(takesNew: true), person: Silent())
        try await keeper.run()
    }

    static func send(_ store: RegionStore, as local: LocalPeer) async throws {
        let sender = try RegionSender(
            sending: try store.regions(),
            of: store,
            as: local,
            consent: .knownMachines,
            person: Silent()
        )
        try await sender.run()
    }
}
