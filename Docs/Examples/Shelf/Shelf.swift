import Foundation
import PeerCore
import RegionSharing
import RegionStore

/// Sends all regions of a folder to the machines that it trusts, until it is ended: `Shelf FOLDER [--open]`.
///
/// With `--open`, everyone nearby may receive them, and so may everyone who gets the share link that it shows.
@main
struct Shelf {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let folders = words.filter { $0 != "--open" }
        guard let folder = folders.first, folders.count == 1, let name = OwnName(argument: "Shelf") else {
            print("Usage: Shelf FOLDER [--open]")
            exit(2)
        }
        let store = try RegionStore(path: folder)
        let local = try store.localPeer(
            name: name,
            for: try PeerServiceType(validating: "hikeshare"),
            software: "shelf 1"
        )
        show("this shelf has the id \(local.id.hex)")
        let sender = try RegionSender(
            sending: try store.regions(),
            of: store,
            as: local,
            consent: words.contains("--open") ? .everything : .knownMachines,
            person: Board()
        )
        try await sender.run()
    }
}

/// Shows what happens, and answers nothing.
struct Board: Person {
    func tell(_ happening: Happening) {
        switch happening {
        case .sending(.listening(let facts)):
            for offer in facts.offers { show("offers \(offer.region.name), \(offer.size) bytes") }
            show("listens on port \(facts.port)")
            if facts.acceptsAll, let link = facts.link { show("share link: \(link.text)") }
        case .sending(.invited(let invitation, let isWelcome)):
            show("\(invitation.peer.displayName) asks, and is \(isWelcome ? "let in" : "not let in")")
        case .sending(.sent(let facts)):
            let name = facts.finished.peer?.displayName ?? "a machine"
            if case .failure(let error) = facts.finished.result {
                show("\(name) has not received everything: \(error)")
            } else {
                show("\(name) has received \(facts.region?.name ?? "a region")")
            }
        case .problem(let error): show("\(error)")
        default: break
        }
    }

    func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }
}

/// Prints a line at once, without characters that could control the terminal: names come from other machines.
func show(_ text: String) {
    let safe = String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    FileHandle.standardOutput.write(Data((safe + "\n").utf8))
}
