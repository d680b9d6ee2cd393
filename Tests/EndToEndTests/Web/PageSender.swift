import Foundation
import PeerTestSupport
import Testing

/// A sender with a page for phones.
struct PageSender: Sendable {
    var child: ChildProcess
    /// The address of the page on loopback.
    var url: String
    /// The port for receivers.
    var senderPort: Int

    /// The port of the page.
    var port: Int { URL(string: url)?.port ?? 0 }

    /// The part of the address that strangers do not know.
    var secret: String { url.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }

    /// The address of a file of the example region.
    func file(_ fileExtension: String) -> String { url + "files/Coma-Pedrosa." + fileExtension }

    /// What the page says of itself.
    func data() async throws -> JSONValue {
        let ending = try await Curl.run(["--fail", url + "share.json"])
        return try JSONValue(parsing: try #require(ending.output.first, "\(ending)"))
    }

    /// Waits until a number of files can be downloaded.
    func waitForFiles(_ count: Int) async throws {
        while try await data()["files"]?.array.count(where: { $0["size"] != nil }) ?? 0 < count { await Task.yield() }
    }
}

extension Laptop {
    /// Sends a region with a page for phones until `body` returns, over loopback only.
    func sendWithPage<Result>(
        _ region: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        _ body: (PageSender) async throws -> Result
    ) async throws -> Result {
        try await sendQuietly(region, ["--web"] + arguments, environment: environment) { running in
            let line = try await running.child.waitForOutput { $0.contains(#""type":"webPage""#) }
            let urls = try JSONValue(parsing: line)["urls"]?.array.compactMap(\.string) ?? []
            let url = try #require(urls.first { $0.hasPrefix("http://127.0.0.1:") }, "\(line)")
            return try await body(PageSender(child: running.child, url: url, senderPort: running.port))
        }
    }
}
