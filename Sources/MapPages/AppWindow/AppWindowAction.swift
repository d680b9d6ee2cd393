internal import FoundationEssentials
internal import PeerStorage
package import WebServer

/// Something that a page of the window asks the program to do, with content that it sends by `POST`.
package struct AppWindowAction: Sendable {
    /// The usual maximum length of JSON, in bytes.
    package static let maximumLength = 16_384
    private static let json = "application/json"
    /// The answer to content that no page of this program sends.
    package static let invalid = WebResponse(
        .badRequest,
        "The page has sent something that is not valid. Reload the page."
    )
    /// The answer if there is nothing to say.
    package static let done = WebResponse(Array("{}".utf8), as: json)

    /// The media type of the content, which no form of another page can have.
    package var contentType: String
    /// The maximum length of the content, in bytes.
    package var maximumLength: Int
    /// Returns why the content is not taken, before it comes; nil if it is.
    package var refusal: @Sendable (_ request: WebRequest, _ rest: [String]) -> WebResponse? = { _, _ in nil }
    /// Does it; `rest` is what follows the name of the action in the path.
    package var perform: @Sendable (_ request: WebRequest, _ rest: [String]) -> WebResponse
    /// Does it instead, if it waits for something; nil if it is done at once.
    package var asking: AppWindowSite.Asking?

    /// Creates an action whose content is not JSON.
    package init(
        contentType: String,
        maximumLength: Int,
        perform: @escaping @Sendable (_ request: WebRequest, _ rest: [String]) -> WebResponse
    ) {
        (self.contentType, self.maximumLength, self.perform) = (contentType, maximumLength, perform)
    }

    /// Creates an action whose content is JSON.
    package init<Sent: Decodable & SendableMetatype>(
        _ type: Sent.Type,
        maximumLength: Int = Self.maximumLength,
        perform: @escaping @Sendable (_ sent: Sent) throws -> WebResponse
    ) {
        self.init(contentType: Self.json, maximumLength: maximumLength) { request, rest in
            guard let sent = Self.sent(type, request, rest, maximumLength) else { return Self.invalid }
            return (try? perform(sent)) ?? Self.invalid
        }
    }

    /// Returns an action whose content is JSON, and which waits for something.
    package static func waiting<Sent: Decodable & SendableMetatype>(
        for type: Sent.Type,
        perform: @escaping @Sendable (_ sent: Sent) async -> WebResponse
    ) -> AppWindowAction {
        var action = AppWindowAction(contentType: json, maximumLength: maximumLength) { _, _ in invalid }
        action.asking = { request, rest in
            guard let sent = sent(type, request, rest, maximumLength) else { return invalid }
            return await perform(sent)
        }
        return action
    }

    /// Reads what was sent; nil if it is not valid.
    private static func sent<Sent: Decodable>(
        _ type: Sent.Type,
        _ request: WebRequest,
        _ rest: [String],
        _ maximumLength: Int
    ) -> Sent? {
        guard rest.isEmpty, let length = try? request.content?.size(), length <= maximumLength,
            let bytes = try? request.content?.prefix(maximumLength)
        else { return nil }
        return try? JSONDecoder().decode(type, from: Data(bytes))
    }
}
