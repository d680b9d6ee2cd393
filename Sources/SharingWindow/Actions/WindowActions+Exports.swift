import FoundationEssentials
import MapPages
import RegionStore
import SharingReports
import WebServer

extension WindowActions {
    /// Files of regions for other programs.
    var exporting: [String: AppWindowAction] {
        struct Wish: Decodable {
            var region: String
            var kind: String
            var withoutPersonal: Bool?
            var withoutPhotoDetails: Bool?
            var part: PartChoice?
        }
        struct End: Decodable { var export: String }
        return [
            "export": AppWindowAction(Wish.self) { sent in
                guard let kind = DownloadKind(rawValue: sent.kind) else { return AppWindowAction.invalid }
                guard let id = UUID(uuidString: sent.region), (try? store.region(id)) != nil else {
                    return Self.removed
                }
                let wish = WindowExports.Wish(
                    region: id,
                    kind: kind,
                    isPersonal: sent.withoutPersonal != true,
                    hasPhotoDetails: sent.withoutPhotoDetails != true,
                    part: sent.part
                )
                guard let export = desk.exports.begin(wish) else {
                    return WebResponse(.conflict, "Other files are being made. Wait for them, or cancel one.")
                }
                return .json(["export": export.uuidString], orSaying: "The file cannot be made.")
            },
            "end-export": AppWindowAction(End.self) { sent in
                guard let id = UUID(uuidString: sent.export) else { return AppWindowAction.invalid }
                desk.exports.end(id)
                return AppWindowAction.done
            },
        ]
    }

    /// The state of a file, and the file itself.
    func export(_ rest: [String]) -> WebResponse {
        guard let id = rest.first.flatMap({ UUID(uuidString: $0) }) else { return .notFound }
        switch rest.count {
        case 1:
            guard let shown = desk.exports.shown(id) else { return .notFound }
            return .json(shown, orSaying: "The file cannot be shown.")
        case 2: return desk.exports.file(id, rest[1]) { [window = desk.window] in window.noteRequest() } ?? .notFound
        default: return .notFound
        }
    }
}
