import PeerTestSupport
import Sentences
import Testing

@testable import WebServer

/// Answers are in the language of the person, who may choose it.
@Suite struct LanguageTests {
    /// Says the language of each request, and lets it be chosen.
    private struct Site: WebSite {
        func respond(to request: WebRequest) -> WebResponse {
            switch request.path.components.first {
            case "choose": return .choosing(Language.all[Language.all.count - 1], backTo: "/page/")
            case "none": return .notFound
            default:
                var response = WebResponse(Array(request.language.tag.utf8), as: "text/html")
                response.language = request.language
                return response
            }
        }
    }

    private static let other = Language.all[Language.all.count - 1]

    private static func answer(_ path: String, _ fields: String = "") async throws -> String {
        let answer = Locked("")
        let body = { @concurrent @Sendable (port: Int) async throws in
            answer.set(try TestServer.exchange(port, TestServer.request(port, "GET", path, more: fields)))
        }
        try await TestServer.with(site: Site(), { _ in }, body)
        return answer.value
    }

    @Test(
        arguments: [
            "", "Cookie: hikeshare-language=tlh\r\n", "Cookie: a=b; hikeshare-language\r\n",
            "Cookie: \(String(repeating: "a=b;", count: 60))hikeshare-language=de\r\n", "Accept-Language: tlh\r\n",
        ]
    )
    func whoSaysNothingReadsEnglish(fields: String) async throws {
        let page = try await Self.answer("/page/", fields)
        #expect(page.hasSuffix("\r\n\r\nen") && page.contains("Content-Language: en\r\n"), "\(page)")
        #expect(page.contains("Vary: Accept-Encoding, Accept-Language, Cookie\r\n"), "\(page)")
    }

    @Test func aChoiceCountsMoreThanTheBrowser() async throws {
        let tag = Self.other.tag
        let wish = try await Self.answer("/page/", "Accept-Language: \(tag)-XX\r\n")
        #expect(wish.hasSuffix("\r\n\r\n\(tag)"), "\(wish)")
        let choice = "Cookie: x=y; hikeshare-language=\(tag)\r\nAccept-Language: en\r\n"
        #expect(try await Self.answer("/page/", choice).hasSuffix("\r\n\r\n\(tag)"))
    }

    @Test func aChoiceIsKeptAndLeadsBack() async throws {
        let answer = try await Self.answer("/choose/")
        #expect(answer.hasPrefix("HTTP/1.1 303 ") && answer.contains("\r\nLocation: /page/\r\n"), "\(answer)")
        let attributes = "Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
        let cookie = "Set-Cookie: hikeshare-language=\(Self.other.tag); \(attributes)"
        #expect(answer.contains("\r\n\(cookie)\r\n"), "\(answer)")
    }

    @Test func whatIsWrongIsSaidInTheLanguageOfThePerson() async throws {
        let english = try await Self.answer("/none/")
        #expect(english.hasSuffix("\r\n\r\nThere is nothing here.\n") && english.contains("Content-Language: en\r\n"))
        let other = try await Self.answer("/none/", "Accept-Language: \(Self.other.tag)\r\n")
        #expect(other.hasSuffix("\r\n\r\n\(Self.other(Sentence("There is nothing here.")))\n"), "\(other)")
    }
}
