import Testing

@testable import WebServer

@Suite struct WebPathTests {
    @Test func readsComponents() throws {
        #expect(WebPath("/")?.components == [])
        #expect(WebPath("/")?.endsWithSlash == true)
        #expect(WebPath("/a/b-c_d.json")?.components == ["a", "b-c_d.json"])
        #expect(WebPath("/a/b")?.endsWithSlash == false)
        #expect(WebPath("/a/b/")?.components == ["a", "b"])
        #expect(WebPath("/a/b/")?.endsWithSlash == true)
    }

    @Test(
        arguments: [
            "", "a", "//", "//a", "/a//b", "/.", "/..", "/a/..", "/a/../b", "/a/./b", "/%2e%2e/", "/a%2fb", "/a?b",
            "/a#b",
            "/a\\b", "/a b", "/a\u{0}", "/ä", "http://127.0.0.1/", "*", "/a;b", "/a:b", "/a@b", "/~a",
        ]
    )
    func refusesEverythingElse(target: String) {
        #expect(WebPath(target) == nil)
    }

    @Test func refusesALongPath() {
        let longest = "/" + String(repeating: "a", count: WebPath.maximumLength - 1)
        #expect(WebPath(longest) != nil)
        #expect(WebPath(longest + "a") == nil)
    }
}
