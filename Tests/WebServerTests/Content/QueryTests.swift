import PeerTestSupport
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(10))) struct QueryTests {
    @Test(
        arguments: [
            ("", [:]), ("a=1", ["a": "1"]), ("a=1&b=2", ["a": "1", "b": "2"]), ("a", ["a": ""]), ("a=", ["a": ""]),
            ("a=b=c", ["a": "b=c"]), ("a=%41+%2B", ["a": "A +"]), ("%61=S%C3%A4ntis", ["a": "Säntis"]),
            ("&&a=1&", ["a": "1"]),
            ("a=?", ["a": "?"]),
        ]
    )
    func readsNamesAndValues(query: String, values: [String: String]) {
        #expect(WebQuery.read(query[...]) == values)
    }

    @Test(arguments: ["a=1&a=2", "a=%", "a=%4", "a=%GG", "a=%FF", "a=%00", "a=%0A", "a=\u{7F}"])
    func refusesWhatIsNoText(query: String) {
        #expect(WebQuery.read(query[...]) == nil)
    }

    @Test func isBounded() {
        func query(_ count: Int) -> String { (0..<count).map { "\($0)=a" }.joined(separator: "&") }
        #expect(WebQuery.read(query(WebQuery.maximumCount)[...])?.count == WebQuery.maximumCount)
        #expect(WebQuery.read(query(WebQuery.maximumCount + 1)[...]) == nil)
        let longest = "a=" + String(repeating: "b", count: WebQuery.maximumLength - 2)
        #expect(WebQuery.read(longest[...]) != nil && WebQuery.read((longest + "b")[...]) == nil)
    }

    @Test(arguments: ["", "a b+c&d=e%f", "Säntis/../?#", "1234"]) func whatIsWrittenIsReadAgain(value: String) {
        let text = WebQuery.text(["name": value, "other": "1"])
        #expect(WebQuery.read(text[...]) == ["name": value, "other": "1"])
        #expect(text.utf8.allSatisfy { WebPath.isPlain($0) || "=&%".utf8.contains($0) })
    }

    @Test func sitesThatTakeQueriesGetThem() async throws {
        let site = RecordingSite()
        try await TestServer.with(site: site) { port in
            #expect(try TestServer.exchange(port, TestServer.request(port, "GET", "/a?b=c%20d")).hasSuffix("hello"))
            let request = site.noted.value.requests.first
            #expect(request?.path == WebPath("/a") && request?.query == ["b": "c d"])
            for target in ["/a?b=%", "/%61?b=c", "/a?b=1&b=2"] {
                let answer = try TestServer.exchange(port, TestServer.request(port, "GET", target))
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer)")
            }
        }
    }
}
