import Testing

@testable import MapPages

/// The files that wait for a person's decision.
@Suite struct UploadQueueTests {
    @Test func filesComeInTheirOrderAndResultsAreKept() async throws {
        let queue = UploadQueue()
        #expect(queue.add([1], from: "a") == 1)
        #expect(queue.add([2], from: "b") == 2)
        var uploads = queue.uploads.makeAsyncIterator()
        let first = await uploads.next()
        #expect(first == UploadQueue.Upload(number: 1, client: "a", bytes: [1]))
        #expect(queue.state(of: 1) == .waiting)
        queue.finish(1, .added("yes"))
        queue.finish(7, .added("nothing"))
        #expect(queue.state(of: 1) == .added("yes") && queue.state(of: 2) == .waiting && queue.state(of: 7) == nil)
        #expect(await uploads.next()?.number == 2)
    }

    @Test func onlySomeFilesWait() async throws {
        let queue = UploadQueue()
        for number in 1...3 { #expect(queue.add([0], from: "") == number) }
        #expect(queue.add([0], from: "") == nil)
        queue.finish(2, .refused("no"))
        #expect(queue.add([0], from: "") == nil, "the stream still holds three")
        var uploads = queue.uploads.makeAsyncIterator()
        _ = await uploads.next()
        #expect(queue.add([0], from: "") == 4)
    }

    @Test func oldResultsAreForgotten() async throws {
        let queue = UploadQueue()
        var uploads = queue.uploads.makeAsyncIterator()
        for number in 1...300 {
            #expect(queue.add([], from: "") == number)
            _ = await uploads.next()
            queue.finish(number, .refused(""))
        }
        #expect(queue.state(of: 100) == nil && queue.state(of: 101) == .refused(""))
    }
}
