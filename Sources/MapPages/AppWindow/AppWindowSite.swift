package import PeerStorage
package import RegionStore
package import WebServer

/// The pages with maps of a store, and the window of the program on their list.
///
/// Besides what ``MapSite`` answers, there are these paths after the secret:
/// - `window/state/NUMBER` is what the window shows, with the lines after the number.
/// - `window/NAME` and what follows is what can be read of other things.
/// - `window/ACTION` takes content from a page of this server.
package struct AppWindowSite: WebSite {
    /// Answers what can be read; `rest` is what follows the name in the path.
    package typealias Reading = @Sendable (_ rest: [String]) -> WebResponse
    /// Answers what takes a while to find out, or waits for something; `rest` is what follows the name in the path.
    package typealias Asking = @Sendable (_ request: WebRequest, _ rest: [String]) async -> WebResponse

    private static let folder = "window"
    /// The pages with maps.
    package let pages: MapSite
    private let store: RegionStore
    private let secret: MapSecret
    private let changes: RegionListWatch
    private let window: AppWindow
    private let actions: [String: AppWindowAction]
    private let readings: [String: Reading]
    private let askings: [String: Asking]

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - actions: What pages can ask the program to do, by name.
    ///   - readings: What pages can read besides, by name.
    ///   - askings: What pages can read that takes a while, by name.
    package init(
        of store: RegionStore,
        secret: MapSecret,
        window: AppWindow,
        actions: [String: AppWindowAction],
        readings: [String: Reading] = [:],
        askings: [String: Asking] = [:]
    ) {
        (self.store, self.secret, self.window) = (store, secret, window)
        (self.actions, self.readings, self.askings) = (actions, readings, askings)
        changes = RegionListWatch(of: store)
        pages = MapSite(of: store, secret: secret)
    }

    /// The maximum length of what a page sends, in bytes.
    package var maximumContentLength: Int { actions.values.reduce(0) { max($0, $1.maximumLength) } }

    package func answer(to request: WebRequest) async -> WebResponse {
        guard let rest = secret.rest(of: request.path), rest.count > 1, rest[0] == Self.folder,
            !request.path.endsWithSlash,
            let asking = request.content == nil ? askings[rest[1]] : actions[rest[1]]?.asking
        else { return await respondOnThread(to: request) }
        window.noteRequest()
        return await asking(request, Array(rest.dropFirst(2)))
    }

    package func respond(to request: WebRequest) -> WebResponse {
        guard let rest = secret.rest(of: request.path) else { return .notFound }
        window.noteRequest()
        guard rest.first == Self.folder else { return pages.respond(to: request) }
        guard rest.count > 1, !request.path.endsWithSlash else { return .notFound }
        let further = Array(rest.dropFirst(2))
        if request.content != nil { return actions[rest[1]]?.perform(request, further) ?? .notFound }
        guard rest[1] == "state" else { return readings[rest[1]]?(further) ?? .notFound }
        guard further.count == 1, let number = Int(further[0]) else { return .notFound }
        let name = try? store.displayName()
        let shown = window.current.shown(after: number, name: name, changes: changes.number)
        let all = Shown(job: shown, keeping: window.keeping, phones: window.phones.current)
        return .json(all, orSaying: "The window cannot be shown.")
    }

    /// The fields of a job, and beside them those of what goes on beside it.
    private struct Shown: Encodable {
        private enum Field: String, CodingKey { case keeping, phones }
        var job: AppWindowState
        var keeping: AppWindowKeeping
        var phones: AppWindowPhones.Shown

        func encode(to encoder: any Encoder) throws {
            try job.encode(to: encoder)
            var container = encoder.container(keyedBy: Field.self)
            try container.encode(keeping, forKey: .keeping)
            try container.encode(phones, forKey: .phones)
        }
    }

    /// Returns why a request may change nothing; nil for the actions of the window.
    ///
    /// A page of another server can send content here, but not as JSON, and not as a page of this server.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? {
        guard let rest = secret.rest(of: request.path) else { return .notFound }
        guard rest.count > 1, rest[0] == Self.folder, let action = actions[rest[1]], !request.path.endsWithSlash
        else { return .readOnly }
        guard request.isFromOwnPage else { return WebResponse(.forbidden, "Only the page itself can do this.") }
        guard request.contentType == action.contentType else {
            return WebResponse(.badRequest, "The content must be \(action.contentType).")
        }
        guard request.contentLength <= action.maximumLength else {
            return WebResponse(.contentTooLarge, "The content is too long.")
        }
        return action.refusal(request, Array(rest.dropFirst(2)))
    }

    package func contentFile() throws -> OpenFile { try store.temporaryFile() }
}
