import MapPages
import PeerProtocol
import RegionSharing
import RegionStore
import SharingReports
import WebServer

extension WindowActions {
    /// Phones that have LocalSend.
    var phones: [String: AppWindowAction] {
        struct Sending: Decodable {
            var phone: Int
            var region: String
            var kind: String
        }
        struct Stopping: Decodable { var phone: Int }
        struct Listening: Decodable { var on: Bool }
        struct Naming: Decodable {
            var id: String
            var name: String
        }
        struct Forgetting: Decodable { var id: String }
        return [
            "phone-send": AppWindowAction(Sending.self) { wish in
                choose(.send(phone: wish.phone, region: wish.region, kind: wish.kind))
                    ? AppWindowAction.done
                    : WebResponse(.conflict, "This phone is not there any more, or it gets something already.")
            },
            "phone-stop": AppWindowAction(Stopping.self) { wish in
                choose(.stop(phone: wish.phone))
                    ? AppWindowAction.done : WebResponse(.conflict, "Nothing is sent to this phone any more.")
            },
            "phones": AppWindowAction(Listening.self) { wish in turnListening(on: wish.on) },
            "phone-rename": AppWindowAction(Naming.self) { wish in
                guard let name = OwnName(argument: wish.name)?.text else {
                    return WebResponse(.badRequest, "That name is empty or too long.")
                }
                return change(wish.id) { try $0.rename($1, to: name) }
            },
            "phone-forget": AppWindowAction(Forgetting.self) { wish in change(wish.id) { try $0.forget($1) } },
        ]
    }

    /// The answer while a phone sends something.
    static let phonesAreSending = WebResponse(
        .conflict,
        "A phone is sending something to this laptop. Wait until that ends, and answer its question."
    )

    private func choose(_ wish: AppWindowPhone.Wish) -> Bool { desk.window.phones.choose(wish) }

    /// Changes what is known of the phone with an id, which names no other one.
    private func change<Result>(_ id: String, _ body: (ConfirmedPhones, String) throws -> Result) -> WebResponse {
        guard let id = ContentDigest(hex: id)?.hex else { return AppWindowAction.invalid }
        do {
            _ = try body(desk.open(.writing).confirmedPhones, id)
        } catch let error as RegionStoreError where error.code == .notFound {
            return WebResponse(.notFound, "This phone is forgotten already.")
        } catch {
            return WebResponse(.conflict, ProblemReport(error).windowText.string.replacing("\n", with: " "))
        }
        // What listens has read the names before.
        desk.renameListening()
        return AppWindowAction.done
    }

    private func turnListening(on isOn: Bool) -> WebResponse {
        guard desk.surroundings.listen != nil else { return AppWindowAction.invalid }
        guard desk.window.job is SendingJob == false else {
            return WebResponse(.conflict, "You can change this when nothing is sent.")
        }
        do {
            try desk.open(.creating).setFoundByPhones(isOn)
        } catch {
            return WebResponse(.failed, "This cannot be kept.")
        }
        desk.turnListening(on: isOn)
        return AppWindowAction.done
    }
}
