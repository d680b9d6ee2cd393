internal import FoundationEssentials
package import PeerStorage
package import RegionStore
package import WebServer

/// The pages with maps of a store, and the window of the program on their list.
///
/// Besides what ``MapSite`` answers, there are these paths after the secret:
/// - `window/state/NUMBER` is what the window shows, with the lines after the number.
/// - `window/receive`, `window/send`, `window/answer`, `window/name`, `window/stop` and `window/quit` take JSON from a page of this server.
package struct AppWindowSite: WebSite {
    /// The maximum length of what a page sends, in bytes.
    package static let maximumContentLength = 16_384

    private static let folder = "window"
    private static let actions: Set = ["receive", "send", "answer", "name", "stop", "quit"]

    private let store: RegionStore
    private let maps: MapSite
    private let secret: MapSecret
    private let window: AppWindow
    private let name: @Sendable (String) -> String?

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - secret: The start of all paths.
    ///   - window: The window.
    ///   - name: Returns a name of this machine as it is kept; nil if it cannot be one.
    package init(
        of store: RegionStore,
        secret: MapSecret,
        window: AppWindow,
        name: @escaping @Sendable (String) -> String? = { $0 }
    ) {
        self.store = store
        self.name = name
        self.secret = secret
        self.window = window
        maps = MapSite(of: store, secret: secret)
    }

    /// The pages with maps.
    package var pages: MapSite { maps }

    /// Answers a request.
    package func respond(to request: WebRequest) -> WebResponse {
        let path = request.path
        guard let first = path.components.first, secret.matches(first) else { return .notFound }
        window.noteRequest()
        let rest = Array(path.components.dropFirst())
        if let content = request.content { return perform(rest.last ?? "", content) }
        guard rest.first == Self.folder else { return maps.respond(to: request) }
        guard rest.count == 3, rest[1] == "state", !path.endsWithSlash, let number = Int(rest[2]) else {
            return .notFound
        }
        return state(after: number)
    }

    /// Returns why a request may change nothing; nil for the actions of the window.
    ///
    /// A page of another server can send content here, but not as JSON, and not as a page of this server.
    package func refusal(ofContentFor request: WebRequest) -> WebResponse? {
        let path = request.path
        guard let first = path.components.first, secret.matches(first) else { return .notFound }
        let rest = Array(path.components.dropFirst())
        guard rest.count == 2, rest[0] == Self.folder, Self.actions.contains(rest[1]), !path.endsWithSlash else {
            return .readOnly
        }
        guard request.isFromOwnPage else { return WebResponse(.forbidden, "Only the page itself can do this.") }
        guard request.contentType == "application/json" else {
            return WebResponse(.badRequest, "The content must be JSON.")
        }
        return nil
    }

    /// Creates a file for what a page sends.
    package func contentFile() throws -> OpenFile { try store.temporaryFile() }

    private func state(after number: Int) -> WebResponse {
        let data = AppWindowData(window.current, name: try? store.displayName(), after: number)
        guard let bytes = try? PageJSON.encode(data) else {
            return WebResponse(.failed, "The window cannot be shown.")
        }
        return WebResponse(bytes, as: "application/json")
    }

    private static let done = WebResponse(Array("{}".utf8), as: "application/json")
    private static let invalid = WebResponse(
        .badRequest,
        "The page has sent something that is not valid. Reload the page."
    )
    private static let busy = WebResponse(
        .conflict,
        "A map is being sent or received already. Wait until that ends, or choose Stop."
    )

    private func perform(_ action: String, _ content: OpenFile) -> WebResponse {
        guard let length = try? content.size(), length <= Self.maximumContentLength,
            let bytes = try? content.prefix(Self.maximumContentLength),
            let asked = try? JSONDecoder().decode(AppWindowRequest.self, from: Data(bytes))
        else { return Self.invalid }
        switch action {
        case "receive": return begin(.receive(asked.receiveOptions), title: "Receiving a map")
        case "send":
            guard let id = asked.region.flatMap({ UUID(uuidString: $0) }), let region = try? store.region(id) else {
                return WebResponse(.notFound, "This region was removed. Reload the page to see your regions.")
            }
            return begin(.send(id.uuidString, asked.sendOptions), title: "Sending \(region.name)")
        case "answer":
            guard let answer = asked.answer, let number = asked.question, !answer.utf8.contains(10) else {
                return Self.invalid
            }
            return window.answer(answer, to: number)
                ? Self.done : WebResponse(.conflict, "This question has expired, or was answered in another window.")
        case "name": return rename(asked.answer ?? "")
        case "stop":
            return window.stop() ? Self.done : WebResponse(.conflict, "Nothing is being sent or received.")
        case "quit":
            window.close()
            return Self.done
        default: return .notFound
        }
    }

    private func rename(_ text: String) -> WebResponse {
        guard !window.isRunning else {
            return WebResponse(.conflict, "You can change your name when nothing is sent or received.")
        }
        guard let name = name(text) else { return WebResponse(.badRequest, "That name is empty or too long.") }
        do {
            try store.setDisplayName(name)
            return Self.done
        } catch {
            return WebResponse(.failed, "The name cannot be kept.")
        }
    }

    private func begin(_ wish: AppWindow.Wish, title: String) -> WebResponse {
        window.begin(wish, title: title) ? Self.done : Self.busy
    }
}

/// What a page sends; each action reads its own fields.
private struct AppWindowRequest: Decodable {
    var region: String?
    var link: Bool?
    var join: Bool?
    var hotspot: Bool?
    var web: Bool?
    var question: Int?
    var answer: String?

    var receiveOptions: AppWindow.ReceiveOptions {
        var options = AppWindow.ReceiveOptions()
        (options.hasLink, options.joins) = (link ?? false, join ?? false)
        return options
    }

    var sendOptions: AppWindow.SendOptions {
        var options = AppWindow.SendOptions()
        (options.makesNetwork, options.hasPage) = (hotspot ?? false, web ?? false)
        return options
    }
}

/// What the window shows, for its script.
struct AppWindowData: Encodable {
    var job: Int
    /// The name of this machine that others see; nil if none was chosen.
    var name: String?
    var title: String
    /// The id of the region that the job has brought.
    var region: String?
    var isRunning: Bool
    /// The lines after those that the page has.
    var lines: [AppWindowState.Line]
    var status: AppWindowText?
    var fraction: Double?
    var question: AppWindowQuestion?
    var questionNumber: Int

    init(_ state: AppWindowState, name: String?, after number: Int) {
        job = state.job
        self.name = name
        title = state.title
        region = state.region
        isRunning = state.isRunning
        lines = state.lines.filter { $0.number > number }
        status = state.status
        fraction = state.fraction
        question = state.question
        questionNumber = state.questionNumber
    }
}
