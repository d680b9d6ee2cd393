import Foundation
import PeerCore
import RegionSharing
import RegionStore

/// Receives whatever trusted machines offer, until it is ended: `Kiosk FOLDER`.
///
/// The folder has the maps, the key of this machine, and the list of the machines that it trusts. It is made if it does not exist.
@main
struct Kiosk {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let name = OwnName(argument: "Kiosk") else {
            print("Usage: Kiosk FOLDER")
            exit(2)
        }
        let store = try RegionStore(path: CommandLine.arguments[1])
        let local = try store.localPeer(
            name: name,
            for: try PeerServiceType(validating: "hikeshare"),
            software: "kiosk 1"
        )
        show("this kiosk has the id \(local.id.hex) and trusts \(try store.trustedPeers.all().count) machines")
        try await RegionKeeper(into: store, as: local, rule: KeepRule(takesNew: true), person: Board()).run()
    }
}

/// Shows what happens, and answers nothing.
struct Board: Person {
    func tell(_ happening: Happening) {
        switch happening {
        case .keeping(.waiting): show("waiting")
        case .keeping(.received(let received)): show("received \(received.regionName)")
        case .keeping(.leftOut(let left)): show("left out something of \(left.region.name)")
        case .receiving(.reconnecting(let next)): show("connecting again, \(next.attempt) of \(next.maximumAttempts)")
        case .receiving(.kept(let kept)): show("\(kept.byteCount) bytes are kept for later")
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
