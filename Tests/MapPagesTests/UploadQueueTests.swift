import Foundation
import PeerStorage
import Testing

@testable import MapPages

/// The files that wait for a person's decision.
@Suite struct UploadQueueTests {
    @Test func filesComeInTheirOrderAndResultsAreKept() async throws {
        let queue = UploadQueue()
        #expect(queue.add(try file(), from: "a") == 1)
        #expect(queue.add(try file(), from: "b") == 2)
        var uploads = queue.uploads.makeAsyncIterator()
        let first = await uploads.next()
        #expect(first?.number == 1 && first?.client == "a")
        #expect(queue.state(of: 1) == .waiting)
        queue.finish(1, .added("yes"))
        queue.finish(7, .added("nothing"))
        #expect(queue.state(of: 1) == .added("yes") && queue.state(of: 2) == .waiting && queue.state(of: 7) == nil)
        #expect(await uploads.next()?.number == 2)
    }

    @Test func onlySomeFilesWait() async throws {
        let queue = UploadQueue()
        for number in 1...3 { #expect(queue.add(try file(), from: "") == number) }
        #expect(queue.add(try file(), from: "") == nil)
        queue.finish(2, .refused("no"))
        #expect(queue.add(try file(), from: "") == nil, "the stream still holds three")
        var uploads = queue.uploads.makeAsyncIterator()
        _ = await uploads.next()
        #expect(queue.add(try file(), from: "") == 4)
    }

    @Test func oldResultsAreForgotten() async throws {
        let queue = UploadQueue()
        var uploads = queue.uploads.makeAsyncIterator()
        for number in 1...300 {
            #expect(queue.add(try file(), from: "") == number)
            _ = await uploads.next()
            queue.finish(number, .added(""))
        }
        #expect(queue.state(of: 100) == nil && queue.state(of: 101) == .added(""))
    }

    @Test func afterTwoRefusalsNothingMoreIsTaken() async throws {
        let queue = UploadQueue()
        var uploads = queue.uploads.makeAsyncIterator()
        for state in [UploadQueue.State.refused("no"), .unanswered(""), .added(""), .refused("no")] {
            #expect(queue.takesFiles(of: "a"))
            let number = try #require(queue.add(try file(), from: "a"))
            _ = await uploads.next()
            queue.finish(number, state)
            // There is one decision on a file.
            queue.finish(number, .refused("no"))
        }
        #expect(!queue.takesFiles(of: "a") && queue.takesFiles(of: "b"))
    }

    @Test func refusalsOfManyAddressesEndUploads() async throws {
        let queue = UploadQueue()
        var uploads = queue.uploads.makeAsyncIterator()
        for client in 0..<1000 {
            let number = try #require(queue.add(try file(), from: "\(client)"))
            _ = await uploads.next()
            queue.finish(number, .refused("no"))
        }
        #expect(!queue.takesFiles(of: "new") && queue.takesFiles(of: "7"))
    }

    private func file() throws -> OpenFile { try OpenFile("/dev/null", O_RDONLY) }
}
