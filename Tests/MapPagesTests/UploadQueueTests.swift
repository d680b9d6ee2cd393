import Foundation
import PeerStorage
import PeerTestSupport
import RegionStore
import Sentences
import Testing
import WebServer

@testable import MapPages

/// The paths of the page on which files of phones arrive.
@Suite struct UploadQueueTests {
    private static let id = "0123456789abcdef"

    /// The page for phones of the example region, with uploads.
    private struct Page {
        var page: SharePage
        var queue: UploadQueue

        init(
            in directory: TemporaryDirectory,
            observer: @escaping @Sendable (UploadQueue.Upload) -> Void = { _ in }
        )
            throws
        {
            let example = try ExampleSite(in: directory)
            queue = UploadQueue(observer: observer)
            page = SharePage(
                id: example.id,
                downloads: try example.share(personal: false).downloads,
                uploads: queue
            )
        }

        /// Sends content to a path below the secret, and returns the answer.
        func post(
            _ path: String,
            _ content: [UInt8],
            from client: String = "a",
            byOtherPage isFromOtherPage: Bool = false
        ) throws -> WebResponse {
            let path = try #require(WebPath(page.site.path + path))
            var request = WebRequest(path, from: client, contentLength: content.count)
            request.isFromOtherPage = isFromOtherPage
            if let refusal = page.site.refusal(ofContentFor: request) { return refusal }
            let file = try page.site.contentFile()
            try file.write(content)
            request.content = file
            return page.site.respond(to: request)
        }

        func announce(_ size: Int, named name: String = "hut.gpx", id: String = id) throws -> WebResponse {
            try post("uploads/\(id)/new/\(size)", Array(name.utf8))
        }

        /// The names of the files in the folder of the page.
        func files(_ directory: TemporaryDirectory) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: directory.path("store/work")).filter {
                $0.contains("upload-")
            }
        }
    }

    private static func facts(_ answer: WebResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    private static func text(_ answer: WebResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test func aFileComesInPiecesAndIsAskedAboutOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            let path = "uploads/" + Self.id
            #expect(try page.page.get(path).status == .notFound && page.post(path + "/0", [1]).status == .notFound)
            #expect(try page.announce(6, named: "/home/a/hut.gpx").status == .ok)
            #expect(try page.post(path + "/0", [1, 2, 3]).status == .ok)
            // The answer was lost, so the browser asks; or it sends the piece again.
            let again = try page.post(path + "/0", [1, 2, 3])
            #expect(again.status == .conflict)
            #expect(try Self.facts(again)["length"] as? Int == 3)
            let known = try Self.facts(page.page.get(path))
            #expect(known["state"] as? String == "receiving" && known["size"] as? Int == 6)
            #expect(try Self.facts(page.post(path + "/3", [4, 5, 6]))["state"] as? String == "waiting")
            var questions = page.queue.questions.makeAsyncIterator()
            let question = try #require(await questions.next())
            #expect(question.upload.name == "hut.gpx" && question.upload.client == "a" && question.upload.size == 6)
            #expect(try question.file?.file.prefix(9) == [1, 2, 3, 4, 5, 6])
            page.queue.finish(question.upload.number, .added("yes"))
            let result = try Self.facts(page.page.get(path))
            #expect(result["state"] as? String == "added" && result["message"] as? String == "yes")
        }
    }

    /// The bytes are there as long as the file is open, and no longer.
    @Test func theBytesGoWithTheDecision() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            _ = try page.announce(3)
            _ = try page.post("uploads/\(Self.id)/0", [1, 2, 3])
            #expect(try page.files(directory).count == 1)
            page.queue.finish(1, .refused("no"))
            var questions = page.queue.questions.makeAsyncIterator()
            // The question holds the file, too.
            _ = await questions.next()
            #expect(try page.files(directory).isEmpty)
        }
    }

    @Test func aDiskThatCannotTakeTheRestEndsTheFileAndItsPageSaysSo() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            let ids = ["0123456789abcdef0", "0123456789abcdef1"]
            for id in ids {
                #expect(try page.announce(8, id: id).status == .ok)
                #expect(try page.post("uploads/\(id)/0", [1, 2, 3, 4]).status == .ok)
            }
            page.queue.endWithoutSpace(try #require(UploadQueue.ID(ids[0])))
            // What cannot be read cannot be written, either.
            #expect(FileManager.default.createFile(atPath: directory.path("piece"), contents: Data(count: 4)))
            let piece = try OpenFile(directory.path("piece"), O_WRONLY)
            #expect(throws: SystemError.self) { try page.queue.add(piece, to: #require(UploadQueue.ID(ids[1])), at: 4) }
            for (id, words) in zip(ids, ["has no space on its disk", "could not write the file"]) {
                let facts = try Self.facts(page.page.get("uploads/\(id)"))
                #expect(
                    facts["state"] as? String == "refused" && (facts["message"] as? String)?.contains(words) == true
                )
            }
            #expect(try page.files(directory).isEmpty)
        }
    }

    /// A file that nobody goes on sending leaves the disk, also if no other one comes.
    @Test func whatIsLeftBehindIsForgotten() async throws {
        try await TemporaryDirectory.with { directory in
            let clock = Locked(0)
            let queue = UploadQueue(now: { clock.withLock { $0 } })
            let downloads = try ExampleSite(in: directory).share(personal: false).downloads
            let id = try #require(UploadQueue.ID(Self.id))
            let answer = try queue.announce(
                id,
                from: "a",
                called: "f",
                size: 8,
                space: 100,
                in: downloads.uploadedFile
            )
            #expect(answer == .accepted)
            // Who only asks does not prolong that.
            for time in stride(from: 0, through: 500, by: 100) {
                clock.withLock { $0 = time }
                queue.forgetOld()
                #expect(queue.upload(id) != nil)
            }
            clock.withLock { $0 = 600 }
            queue.forgetOld()
            #expect(queue.upload(id) == nil)
            let files = try FileManager.default.subpathsOfDirectory(atPath: directory.path("store/work"))
            #expect(!files.contains { $0.contains("upload-") })
        }
    }

    @Test func aLargeFileIsAskedAboutBeforeItComes() async throws {
        try await TemporaryDirectory.with { directory in
            let lengths = Locked<[UInt64]>([])
            let page = try Page(in: directory) { progress in lengths.withLock { $0.append(progress.length) } }
            let size = Int(UploadTable.smallSize) + 1
            #expect(try Self.facts(page.announce(size))["state"] as? String == "asked")
            #expect(try page.post("uploads/\(Self.id)/0", [1]).status == .conflict)
            var questions = page.queue.questions.makeAsyncIterator()
            let question = try #require(await questions.next())
            #expect(question.file == nil && question.upload.size == UInt64(size))
            page.queue.allow(question.upload.number)
            #expect(try Self.facts(page.post("uploads/\(Self.id)/0", [1]))["length"] as? Int == 1)
            #expect(lengths.withLock { $0 } == [1])
            let id = try #require(UploadQueue.ID(Self.id))
            page.queue.endWithoutSpace(id)
            #expect(try Self.facts(page.page.get("uploads/" + Self.id))["state"] as? String == "refused")
            #expect(try page.files(directory).isEmpty && lengths.withLock { $0.last } == UInt64(size))
        }
    }

    /// Who has chosen the wrong file need not wait for its end, and may send another one at once.
    @Test func thePhoneStopsAFileOfWhichNotEverythingHasCome() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            let ids = (0..<3).map { Self.id + "\($0)" }
            #expect(try page.post("uploads/\(ids[0])/stop", []).status == .notFound)
            for id in ids.prefix(2) { #expect(try page.announce(6, id: id).status == .ok) }
            #expect(try page.post("uploads/\(ids[0])/0", [1, 2, 3]).status == .ok)
            #expect(try page.post("uploads/\(ids[0])/stop", [1]).status == .contentTooLarge)
            #expect(try page.post("uploads/\(ids[0])/stop", [], byOtherPage: true).status == .forbidden)
            #expect(try page.files(directory).count == 2)
            let stopped = try Self.facts(page.post("uploads/\(ids[0])/stop", []))
            #expect(stopped["state"] as? String == "refused")
            #expect((stopped["message"] as? String)?.hasPrefix("You stopped it.") == true)
            #expect(try page.files(directory).count == 1)
            #expect(try page.post("uploads/\(ids[0])/3", [4]).status == .conflict)
            #expect(try page.announce(6, id: ids[2]).status == .ok)
            // The person at the laptop decides on what is there.
            #expect(try page.post("uploads/\(ids[1])/0", [1, 2, 3, 4, 5, 6]).status == .ok)
            #expect(try Self.facts(page.post("uploads/\(ids[1])/stop", []))["state"] as? String == "waiting")
        }
    }

    /// A file with an ending does not look like one with another.
    @Test func aNameDoesNotTurnTheWritingAround() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            #expect(try page.announce(1, named: "a/photo\u{202E}gpj.exe").status == .ok)
            let id = try #require(UploadQueue.ID(Self.id))
            #expect(page.queue.upload(id)?.name == #"photo\u{202e}gpj.exe"#)
        }
    }

    @Test func pagesOfOthersSendNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            let path = "uploads/\(Self.id)"
            #expect(try page.post(path + "/new/6", Array("a.gpx".utf8), byOtherPage: true).status == .forbidden)
            #expect(try page.page.get(path).status == .notFound)
            #expect(try page.announce(6).status == .ok)
            #expect(try page.post(path + "/0", [1], byOtherPage: true).status == .forbidden)
            #expect(try Self.facts(page.page.get(path))["length"] as? Int == 0)
        }
    }

    /// A phone that waits reads for what.
    @Test func whoWaitsReadsForWhat() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            let ids = (0..<3).map { Self.id + "\($0)" }
            for id in ids.prefix(2) { #expect(try page.announce(6, id: id).status == .ok) }
            let sending = try page.announce(6, id: ids[2])
            #expect(sending.status == .unavailable && Self.text(sending).contains("still being sent"))
            #expect(try page.post("uploads/\(ids[0])/0", [1, 2, 3, 4, 5, 6]).status == .ok)
            #expect(try Self.text(page.announce(6, id: ids[2])).contains("waiting for a decision"))
        }
    }

    @Test func whatIsTooLargeIsRefusedWithTheReason() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            let huge = try page.announce(Int.max)
            // How much there is concerns nobody else.
            #expect(huge.status == .noSpace && Self.text(huge).contains("too little space"))
            #expect(!Self.text(huge).contains { $0.isNumber })
            #expect(try page.announce(0).status == .badRequest)
            #expect(try page.announce(9, named: String(repeating: "a", count: 1001)).status == .contentTooLarge)
            _ = try page.announce(16_000_000)
            let piece = [UInt8](repeating: 0, count: UploadQueue.maximumBlockLength + 1)
            #expect(try page.post("uploads/\(Self.id)/0", piece).status == .contentTooLarge)
        }
    }

    @Test(arguments: [
        "uploads", "uploads/new/1", "uploads/x/new/1", "uploads/\(id)/new/-1", "uploads/\(id)/1/2", "f", "",
    ])
    func nothingElseTakesContent(path: String) async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Page(in: directory)
            #expect(try page.post(path, [1]).status == .methodNotAllowed)
        }
    }

    /// Who was told no on one of several pages is not heard on the others.
    @Test func refusalsCountOnAllPages() async throws {
        try await TemporaryDirectory.with { directory in
            try await TemporaryDirectory.with { other in
                let (first, second) = (try Page(in: directory), try Page(in: other))
                let site = ShareListSite([first.page.site, second.page.site], secret: MapSecret())
                func refusal(_ client: String, _ page: Page, _ id: String) throws -> WebResponse? {
                    let path = try #require(WebPath(page.page.site.path + "uploads/\(id)/new/10"))
                    return site.refusal(ofContentFor: WebRequest(path, from: client, contentLength: 5))
                }
                for number in 1...UploadRefusals.maximumRefusals {
                    #expect(try refusal("a", second, Self.id) == nil)
                    #expect(try first.announce(10, id: "0123456789abcde\(number)").status == .ok)
                    first.queue.finish(number, .refused("No."))
                }
                #expect(try refusal("a", second, Self.id)?.status == .forbidden)
                #expect(try refusal("b", second, Self.id) == nil)
                // It may still ask what became of its files.
                #expect(try refusal("a", first, "0123456789abcde1") == nil)
            }
        }
    }
}
