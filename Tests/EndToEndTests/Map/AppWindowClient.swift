import Foundation
import PeerTestSupport
import Testing

/// The window of a running program, used as its page uses it.
struct AppWindowClient {
    var laptop: Laptop
    /// The address of the list of maps.
    var url: String

    private var origin: String { url.split(separator: "/").prefix(2).joined(separator: "//") }

    /// What the window shows, with all its lines.
    func state() async throws -> JSONValue {
        try JSONValue(parsing: try #require(try await curl([url + "window/state/0"]).output.first))
    }

    /// Does something; returns the status of the answer.
    @discardableResult
    func post(_ action: String, _ content: String = "{}") async throws -> Int {
        let command = [
            "--header", "Origin: \(origin)", "--header", "Sec-Fetch-Site: same-origin", "--header",
            "Content-Type: application/json", "--data-binary", content, "--output", "/dev/null", "--write-out",
            "%{http_code}\n", url + "window/" + action,
        ]
        return try await curl(command).output.first.flatMap { Int($0) } ?? 0
    }

    /// Waits until the window shows something.
    func wait(until condition: (JSONValue) -> Bool) async throws -> JSONValue {
        let end = ContinuousClock.now + .patience
        while true {
            let state = try await state()
            if condition(state) { return state }
            try #require(ContinuousClock.now < end, "\(state)")
            await Task.yield()
        }
    }

    /// Waits for a question that has a text in it, and returns its words.
    func question(with text: String) async throws -> String {
        try await wait { Self.words($0["question"]).contains(text) && $0["question"] != nil }.questionWords
    }

    /// Answers the question that is asked.
    func answer(_ text: String, to question: String) async throws {
        let state = try await wait { Self.words($0["question"]).contains(question) }
        let number = try #require(state["questionNumber"]?.int)
        #expect(try await post("answer", #"{"question":\#(number),"answer":"\#(text)"}"#) == 200)
    }

    /// Waits for the end of the job, and returns the words of all lines.
    func ended() async throws -> String {
        Self.words(try await wait { $0["isRunning"]?.bool == false }["lines"])
    }

    /// All words in a value.
    static func words(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text): text + " "
        case .array(let values): values.map { words($0) }.joined()
        case .object(let object): object.sorted { $0.key < $1.key }.map { words($0.value) }.joined()
        default: ""
        }
    }

    private func curl(_ arguments: [String]) async throws -> Ending {
        let command = ["--silent", "--show-error", "--max-time", "300"] + arguments
        guard case .host(let hosts, let side) = laptop.network else { return try await Curl.run(arguments) }
        return try await hosts.run(on: side, "curl", command) { await $0.ending() }
    }
}

extension JSONValue {
    /// The words of the question of a window.
    fileprivate var questionWords: String { AppWindowClient.words(self["question"]) }

    /// The digits in the words of a window.
    var digits: String? {
        AppWindowClient.words(self).firstMatch(of: /(\d) (\d) (\d)   (\d) (\d) (\d)/)
            .map { "\($0.1)\($0.2)\($0.3)\($0.4)\($0.5)\($0.6)" }
    }
}

extension Laptop {
    /// Opens the window until `body` returns.
    func window<Result>(_ body: (AppWindowClient) async throws -> Result) async throws -> Result {
        try await map(nil, ["--window", "--no-browser"]) { _, url in
            try await body(AppWindowClient(laptop: self, url: url))
        }
    }
}
