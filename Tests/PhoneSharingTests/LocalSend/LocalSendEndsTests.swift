import Glibc
import LocalSend
import PeerStorage
import PeerTestSupport
import SharingTestSupport
import Synchronization
import Testing
import WebServer

@testable import PeerCore
@testable import PhoneSharing
@testable import RegionSharing
@testable import RegionStore

/// How phones stop and are cut off, what texts they send, and what is no phone.
@Suite(.timeLimit(.minutes(10))) struct LocalSendEndsTests {
    private typealias File = TestPhone.File

    private static let tracks = File("p.gpx", TakingBench.gpx())
    /// A second one, so that its list is not over after the first.
    private static let other = File("q.gpx", [1, 2, 3], id: "other")

    private static func isStopped(_ happenings: [Happening]) -> Bool {
        happenings.contains { if case .phones(.localSend(.stopped)) = $0 { true } else { false } }
    }

    /// Reads an answer to its end; the server needs the threads of the pool.
    private static func answer(on connection: RawConnection) async throws -> String {
        try await OwnThread.run { String(decoding: connection.readToEnd(), as: UTF8.self) }
    }

    /// The phone does not know the session yet.
    @Test func aPhoneStopsWhatItHasAsked() async throws {
        let person = PatientPerson { $0 is PhoneFilesQuestion }
        try await TakingBench.with(asked: person) { bench in
            let phone = try bench.phone()
            async let answer = phone.prepare([Self.tracks])
            try await bench.wait { person.isAsking }
            #expect(bench.taker.isAsking && !bench.taker.isBusy)
            #expect(try await phone.cancel(nil) == 200)
            #expect(try await answer.status == 403)
            #expect(!bench.taker.isAsking)
            #expect(person.withdrawnCount == 1 && Self.isStopped(person.told))
            // Its place is free.
            async let next = phone.prepare([Self.tracks])
            try await bench.wait { person.isAsking }
            person.answer(true)
            #expect(try await next.status == 200)
        }
    }

    @Test func aPhoneThatGoesIsNotAskedAbout() async throws {
        let person = PatientPerson { $0 is PhoneFilesQuestion }
        try await TakingBench.with(asked: person) { bench in
            let phone = try bench.phone()
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await phone.prepare([Self.tracks]) }
                try? await bench.wait { person.isAsking }
                group.cancelAll()
            }
            try await bench.wait { person.withdrawnCount == 1 && Self.isStopped(person.told) }
        }
    }

    /// What has come whole is decided on, and nothing else comes.
    @Test func aPhoneStopsInTheMiddle() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let agreement = try await phone.agree(on: [Self.tracks, Self.other])
            #expect(try await phone.upload(Self.tracks, agreement) == 200)
            #expect(try await phone.cancel(agreement.session) == 200)
            #expect(try await phone.upload(Self.other, agreement) == 403)
            try await bench.settle()
            #expect(try bench.labels.contains("From a phone"))
            #expect(Self.isStopped(bench.person.told))
        }
    }

    /// Nobody stops what another phone sends, and a session that is not one of this side is passed on.
    @Test func anotherPhoneStopsNothing() async throws {
        let passed = Locked<[String]>([])
        try await TakingBench.with(
            isSecure: true,
            cancelled: { session, _ in passed.withLock { $0.append(session) } },
            { bench in
                let phone = try bench.phone(identity: try TestPhone.identity())
                let stranger = try bench.phone(identity: try TestPhone.identity())
                let agreement = try await phone.agree(on: [Self.tracks])
                #expect(try await stranger.cancel(agreement.session) == 200)
                #expect(try await stranger.cancel("our-own") == 200)
                #expect(passed.value == [agreement.session, "our-own"])
                #expect(try await phone.upload(Self.tracks, agreement) == 200)
            }
        )
    }

    /// After a cut connection, the phone may begin the file again.
    @Test func afterACutAFileBeginsAgain() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let agreement = try await phone.agree(on: [Self.tracks])
            let token = try agreement.tokens[Self.tracks.id].required()
            let target =
                "/api/localsend/v2/upload?sessionId=\(agreement.session)&fileId=\(Self.tracks.id)&token=\(token)"
            let count = Self.tracks.content.count
            do {
                let connection = try RawConnection(toPort: bench.port)
                let head =
                    "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nContent-Length: \(count)\r\n\r\n"
                connection.write(Array(head.utf8) + Self.tracks.content.dropLast(10))
                try await bench.wait { bench.taker.isArriving(agreement.session) }
            }
            try await bench.wait { !bench.taker.isArriving(agreement.session) }
            #expect(try await phone.upload(Self.tracks, agreement) == 200)
            try await bench.settle()
            #expect(try bench.labels.contains("From a phone"))
        }
    }

    /// The phone learns of it, and the next file comes when there is room again.
    @Test func aFullDiskEndsAFile() async throws {
        let disk = FullDisk()
        try await TakingBench.with(disk: disk) { bench in
            let phone = try bench.phone()
            let agreement = try await phone.agree(on: [Self.other, Self.tracks])
            disk.isFull.set(true)
            #expect(try await phone.upload(Self.other, agreement) == 507)
            disk.isFull.set(false)
            #expect(try await phone.upload(Self.other, agreement) == 403)
            #expect(try await phone.upload(Self.tracks, agreement) == 200)
            try await bench.settle()
            #expect(try bench.labels.contains("From a phone"))
        }
    }

    /// A phone that is gone without a word does not hold its place for ever.
    @Test func aSilentPhoneIsForgotten() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let agreement = try await phone.agree(on: [Self.tracks, Self.other])
            #expect(try await phone.upload(Self.tracks, agreement) == 200)
            bench.taker.tick(at: .now + LocalSendLimits.silence + .seconds(1))
            #expect(try await phone.upload(Self.other, agreement) == 403)
            try await bench.settle()
            #expect(try bench.labels.contains("From a phone") && Self.isStopped(bench.person.told))
        }
    }

    /// The content of a file may come without its length.
    @Test func aFileComesInChunks() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let agreement = try await phone.agree(on: [Self.tracks])
            let token = try agreement.tokens[Self.tracks.id].required()
            let target =
                "/api/localsend/v2/upload?sessionId=\(agreement.session)&fileId=\(Self.tracks.id)&token=\(token)"
            let connection = try RawConnection(toPort: bench.port)
            let head = """
                POST \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nTransfer-Encoding: chunked\r\n\
                Connection: close\r\n\r\n
                """
            let length = String(Self.tracks.content.count, radix: 16)
            connection.write(Array("\(head)\(length)\r\n".utf8) + Self.tracks.content + Array("\r\n0\r\n\r\n".utf8))
            let answer = try await Self.answer(on: connection)
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
            try await bench.settle()
            #expect(try bench.labels.contains("From a phone"))
        }
    }

    // MARK: Texts

    @Test(arguments: [true, false]) func aTextIsShownAfterAYes(answer: Bool) async throws {
        try await TakingBench.with(TestPerson { _ in answer }) { bench in
            #expect(try await bench.phone().prepare(text: "See you at the hut").status == (answer ? 204 : 403))
            let question = try #require(bench.asked(PhoneTextQuestion.self).first)
            #expect(question.content == .words(count: 18) && bench.person.asked.count == 1)
            let texts = bench.told.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
            #expect(texts == (answer ? ["See you at the hut"] : []))
        }
    }

    /// It is followed while a sender is looked for, and shown otherwise.
    @Test(arguments: [true, false]) func aShareLinkIsOfferedAsASender(isSearching: Bool) async throws {
        try await TakingBench.with { bench in
            let expected = try ShareLink(
                for: try TakingBench.application,
                addresses: [PeerAddress(host: "192.168.1.7", port: 4711)],
                id: Sample.peerID(),
                token: .random()
            )
            let link = isSearching ? "Here: \(expected.text) Ben" : expected.text
            let phone = try bench.phone()
            if isSearching {
                let found = try await bench.links.with { links in
                    let answer = try await phone.prepare(text: link)
                    #expect(answer.status == 204)
                    for await link in links { return link as ShareLink? }
                    return nil
                }
                #expect(found == expected)
            } else {
                #expect(try await phone.prepare(text: link).status == 204)
            }
            let question = try #require(bench.asked(PhoneTextQuestion.self).first)
            #expect(question.content == .link(isTaken: isSearching))
            let shown = bench.told.compactMap { if case .link(let link, _) = $0 { link } else { nil } }
            #expect(shown == (isSearching ? [] : [expected]))
        }
    }

    // MARK: What is no phone

    @Test func aPageOfABrowserIsNotHeard() async throws {
        try await TakingBench.with { bench in
            let json = String(decoding: try bench.phone().offer([Self.tracks]).json, as: UTF8.self)
            let head = """
                POST /api/localsend/v2/prepare-upload HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\n\
                Origin: https://example.org\r\nContent-Length: \(json.utf8.count)\r\nConnection: close\r\n\r\n
                """
            let connection = try RawConnection(toPort: bench.port)
            connection.write(Array((head + json).utf8))
            let answer = try await Self.answer(on: connection)
            #expect(answer.hasPrefix("HTTP/1.1 403"), "\(answer)")
            #expect(bench.person.asked.isEmpty)
        }
    }

    /// LocalSend announces no length of content that is empty, and only a page of a browser reads this path.
    @Test(arguments: ["POST", "GET"]) func onlyARequestOfADeviceStops(method: String) async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            let agreement = try await phone.agree(on: [Self.tracks])
            let target = "/api/localsend/v2/cancel?sessionId=\(agreement.session)"
            let connection = try RawConnection(toPort: bench.port)
            let head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nConnection: close\r\n\r\n"
            connection.write(Array(head.utf8))
            let answer = try await Self.answer(on: connection)
            #expect(answer.hasPrefix(method == "POST" ? "HTTP/1.1 200" : "HTTP/1.1 405"), "\(answer)")
            #expect(try await phone.upload(Self.tracks, agreement) == (method == "POST" ? 403 : 200))
        }
    }

    @Test func whatIsNoRequestIsAnsweredSo() async throws {
        try await TakingBench.with { bench in
            let phone = try bench.phone()
            #expect(try await phone.prepare(json: Array("{".utf8)).status == 400)
            #expect(try await phone.prepare(json: Array("[]".utf8)).status == 400)
            #expect(try await phone.prepare([]).status == 204)
            let long = [UInt8](repeating: 0x20, count: LocalSendLimits.offerLength + 1)
            #expect(try await phone.prepare(json: long).status == 413)
            #expect(try await phone.post(.register, phone.device.json()).status == 200)
            #expect(bench.person.asked.isEmpty)
        }
    }
}

extension LocalSendTaker {
    /// Whether bytes of a file of a session arrive.
    fileprivate func isArriving(_ session: String) -> Bool {
        contents.withLock { contents in
            contents.machine.session(session)?.receptions?.contains { $0.state == .arriving } ?? false
        }
    }
}

/// A disk that has no room for files of phones while a test says so.
private final class FullDisk: StoreFaultInjector {
    let isFull = Locked(false)

    func reach(_ point: FaultPoint) {}

    func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int {
        guard operation == .write, path.contains("/upload-"), isFull.value else { return count }
        throw SystemError(number: ENOSPC)
    }

    func end(_ operation: FileOperation, _ path: String) {}
}
