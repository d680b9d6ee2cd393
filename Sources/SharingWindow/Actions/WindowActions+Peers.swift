import FoundationEssentials
import MapPages
import PeerCore
import RegionSharing
import RegionStore
import SharingReports
import WebServer

extension WindowActions {
    /// The machines that this one trusts.
    var peers: [String: AppWindowAction] {
        struct Naming: Decodable {
            var id: String
            var name: String
        }
        struct Forgetting: Decodable { var id: String }
        return [
            "peer-rename": AppWindowAction(Naming.self) { wish in
                change(wish.id) { try $0.rename($1, to: wish.name) }
            },
            "peer-forget": AppWindowAction(Forgetting.self) { wish in change(wish.id) { try $0.forget($1) } },
        ]
    }

    /// What a page shows of this machine and of those that it trusts.
    var peersReading: AppWindowSite.Reading {
        struct Machine: Encodable {
            var id: String
            /// The beginning of the id; of a phone, what it calls itself.
            var short: String
            var name: String
            var since: Date?
            var seen: Date?
        }
        struct Machines: Encodable {
            var own: Machine
            var peers: [Machine]
            /// Phones to which a person has given a name.
            var phones: [Machine]
        }
        return { rest in
            guard rest.isEmpty else { return .notFound }
            let sentence = "The machines that you trust cannot be read."
            // The id of this machine is made when it is needed for the first time.
            guard let local = try? desk.open(.creating).localPeer(), let all = try? store.trustedPeers.all(),
                let phones = try? store.confirmedPhones.all()
            else { return WebResponse(.failed, sentence) }
            let own = Machine(id: local.id.hex, short: local.id.short, name: local.displayName)
            let peers = all.map {
                Machine(id: $0.id.hex, short: $0.id.short, name: $0.name, since: $0.pinnedAt, seen: $0.lastSeenAt)
            }
            let named = phones.map {
                Machine(
                    id: $0.id.hex,
                    short: DisplayText(escaping: $0.alias).string,
                    name: $0.name,
                    since: $0.confirmedAt,
                    seen: $0.seenAt
                )
            }
            return .json(Machines(own: own, peers: peers, phones: named), orSaying: sentence)
        }
    }

    /// Changes what is known of the machine with an id, which names no other one.
    private func change<Result>(_ id: String, _ body: (TrustedPeers, String) throws -> Result) -> WebResponse {
        guard let id = PeerID(hex: id)?.hex else { return AppWindowAction.invalid }
        do {
            _ = try body(desk.open(.writing).trustedPeers, id)
            return AppWindowAction.done
        } catch let error as RegionStoreError where error.code == .notFound {
            return WebResponse(.notFound, "You do not trust this machine any more.")
        } catch let error as RegionStoreError where error.code == .invalidArgument {
            return WebResponse(.badRequest, "That name is empty or too long.")
        } catch {
            return WebResponse(.conflict, ProblemReport(error).windowText.string.replacing("\n", with: " "))
        }
    }
}
