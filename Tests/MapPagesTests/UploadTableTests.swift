import Sentences
import Testing

@testable import MapPages

/// Which files of phones are taken, and when they are forgotten.
@Suite struct UploadTableTests {
    private static let large = UploadTable.smallSize + 1
    private static let much: UInt64 = 1 << 40

    private final class Box {
        var table = UploadTable()
    }

    private let box = Box()
    private var table: UploadTable { box.table }

    private func id(_ number: Int) throws -> UploadQueue.ID {
        try #require(UploadQueue.ID("0123456789abcdef\(number)"))
    }

    /// Announces a file with a number for its id; returns the answer.
    private func announce(
        _ number: Int,
        from client: String = "a",
        size: UInt64 = 10,
        at now: Int = 0,
        space: UInt64 = much
    ) throws -> UploadTable.Announcement {
        box.table.announce(try id(number), from: client, called: "f", size: size, at: now, space: space)
    }

    private func entry(_ number: Int) throws -> UploadQueue.Upload? { table.uploads[try id(number)] }

    /// Adds a piece; returns whether the file is complete, or nil if the piece is not expected.
    private func add(_ number: Int, at offset: UInt64, length: UInt64, _ now: Int = 0) throws -> Bool? {
        guard try begin(number, at: offset, length: length, now) else { return nil }
        return try end(number, length: length)
    }

    private func begin(_ number: Int, at offset: UInt64, length: UInt64, _ now: Int = 0) throws -> Bool {
        box.table.begin(try id(number), at: offset, length: length, now)
    }

    private func end(_ number: Int, length: UInt64?) throws -> Bool { box.table.end(try id(number), length: length) }

    @discardableResult
    private func finish(_ number: Int, _ state: UploadQueue.State) -> Int {
        box.table.id(of: number).map { box.table.finish($0, state) } ?? 0
    }

    private func allow(_ number: Int) throws { box.table.allow(try #require(box.table.id(of: number)), at: 0) }

    @Test func piecesFollowEachOther() throws {
        #expect(try announce(1) == .accepted)
        #expect(try entry(1)?.state == .receiving)
        for (offset, length) in [(1, 1), (0, 0), (0, 11), (10, 1)] as [(UInt64, UInt64)] {
            let isComplete = try add(1, at: offset, length: length)
            #expect(isComplete == nil, "\(offset) \(length)")
        }
        #expect(try add(1, at: 0, length: 4) == false)
        // A piece whose answer was lost comes again.
        #expect(try add(1, at: 0, length: 4) == nil)
        #expect(try announce(1) == .accepted)
        #expect(try entry(1)?.length == 4)
        #expect(try add(1, at: 4, length: 6) == true)
        #expect(try entry(1)?.state == .waiting)
        #expect(try add(1, at: 10, length: 1) == nil)
    }

    @Test func onePieceIsWrittenAtATime() throws {
        _ = try announce(1)
        #expect(try begin(1, at: 0, length: 4))
        #expect(try !begin(1, at: 0, length: 4))
        // What could not be written does not count.
        #expect(try !end(1, length: nil))
        #expect(try entry(1)?.length == 0)
        #expect(try begin(1, at: 0, length: 10))
        #expect(try end(1, length: 10))
    }

    @Test func aLargeFileComesAfterAYesOnly() throws {
        #expect(try announce(1, size: Self.large) == .accepted)
        #expect(try entry(1)?.state == .asked)
        #expect(try add(1, at: 0, length: 4) == nil)
        try allow(1)
        #expect(try add(1, at: 0, length: 4) == false)
        _ = try announce(2, size: Self.large)
        finish(2, .refused("no"))
        try allow(2)
        #expect(try add(2, at: 0, length: 4) == nil)
    }

    @Test func oneClientHasAFewFilesAndAllHaveSome() throws {
        #expect(try announce(1) == .accepted && announce(2) == .accepted && announce(3) == .busy(isDecided: false))
        for number in 3...8 { #expect(try announce(number, from: "\(number)") == .accepted) }
        #expect(try announce(9, from: "new") == .busy(isDecided: false))
        _ = try add(2, at: 0, length: 10)
        #expect(try announce(9, from: "new") == .busy(isDecided: true))
        finish(1, .added(""))
        #expect(try announce(9, from: "new") == .accepted)
    }

    /// Somebody who announces files and sends nothing keeps nobody out.
    @Test func theRestOfASmallFileGivesItsPlaceAway() throws {
        for number in 1...8 { #expect(try announce(number, from: "\(number)", at: number) == .accepted) }
        #expect(try add(1, at: 0, length: 1, 50) == false)
        #expect(try announce(9, from: "new", at: 61) == .busy(isDecided: false))
        #expect(try announce(9, from: "new", at: 62) == .accepted)
        #expect(try entry(2) == nil && entry(1) != nil)
    }

    /// Nor does it keep out other files of the same phone for long.
    @Test func announcedFilesGiveTheirPlacesToOthersOfTheirPhone() throws {
        #expect(try announce(1, from: "a", at: 0) == .accepted && announce(2, from: "a", at: 5) == .accepted)
        #expect(try announce(3, from: "a", at: 59) == .busy(isDecided: false))
        #expect(try announce(3, from: "a", at: 60) == .accepted)
        #expect(try entry(1) == nil && entry(2) != nil)
        #expect(try announce(4, from: "a", at: 60) == .busy(isDecided: false))
    }

    /// A large file was agreed to, but while nothing of it has come, nothing is lost with it.
    @Test func aLargeFileThatDoesNotComeGivesItsPlaceToOthersOfItsPhone() throws {
        for number in 1...2 {
            _ = try announce(number, size: Self.large)
            try allow(number)
        }
        #expect(try add(1, at: 0, length: 4) == false)
        #expect(try announce(3, at: 59) == .busy(isDecided: false))
        #expect(try announce(3, at: 60) == .accepted)
        #expect(try entry(1) != nil && entry(2) == nil)
        #expect(try announce(4, at: 119) == .busy(isDecided: false))
    }

    @Test(arguments: [10, large]) func aPhoneMayBeAwayForAWhile(size: UInt64) throws {
        let patience = size == 10 ? UploadTable.patience.small : UploadTable.patience.large
        _ = try announce(1, size: size)
        try allow(1)
        _ = try announce(2, from: "b", at: patience - 1)
        #expect(try entry(1) != nil)
        _ = try announce(3, from: "c", at: patience)
        #expect(try entry(1) == nil && add(1, at: 0, length: 1) == nil)
    }

    /// What waits for a person is not forgotten, whoever comes.
    @Test func aFileThatIsCompleteStays() throws {
        _ = try announce(1)
        _ = try add(1, at: 0, length: 10)
        _ = try announce(2, from: "b", at: 1_000_000)
        #expect(try entry(1)?.state == .waiting)
    }

    @Test func theDiskHasRoomForAllThatWasPromised() throws {
        #expect(try announce(1, size: 100, space: 199) == .noSpace)
        #expect(try announce(1, size: .max, space: .max - 1) == .noSpace)
        #expect(try announce(1, size: 100, space: 200) == .accepted)
        #expect(try announce(2, size: 50, space: 299) == .noSpace)
        // What has arrived is no longer free.
        _ = try add(1, at: 0, length: 60)
        #expect(try announce(2, size: 50, space: 239) == .noSpace)
        #expect(try announce(2, size: 50, space: 240) == .accepted)
    }

    @Test func refusalsOfPeopleAndOfFilesAreCounted() throws {
        for (number, state) in [
            UploadQueue.State.refused("no"), .unanswered(""), .failed(""), .added(""), .unusable("x"), .refused("no"),
        ].enumerated() {
            #expect(table.takesFiles(of: "a"))
            #expect(try announce(number) == .accepted)
            finish(number + 1, state)
            // There is one decision on a file.
            finish(number + 1, .refused("no"))
        }
        #expect(try announce(100) == .forbidden)
        #expect(try announce(0) == .accepted, "what became of a file may still be asked")
        for faults in 1...UploadRefusals.maximumFaults {
            #expect(try announce(200 + faults, from: "b") == .accepted)
            let known = try entry(200 + faults)
            let number = try #require(known).number
            #expect(finish(number, .unusable("x")) == faults)
        }
        #expect(!table.takesFiles(of: "b") && table.takesFiles(of: "c"))
    }

    @Test func refusalsOfManyAddressesEndUploads() throws {
        for number in 0..<UploadRefusals.maximumClients {
            _ = try announce(number, from: "\(number)")
            finish(number + 1, .refused("no"))
        }
        #expect(!table.takesFiles(of: "new") && table.takesFiles(of: "7"))
    }

    @Test func oldResultsAreForgotten() throws {
        for number in 1...300 {
            _ = try announce(number)
            finish(number, .added(""))
        }
        #expect(try entry(100) == nil && entry(101)?.state == .added("") && table.uploads.count == 200)
        #expect(table.open.isEmpty)
    }

    @Test func idsAreLongAndPlain() {
        for text in ["", "0123456789abcde", "0123456789ABCDEF", "../../../../../..", String(repeating: "a", count: 41)]
        {
            #expect(UploadQueue.ID(text) == nil, "\(text)")
        }
        #expect(
            UploadQueue.ID(String(repeating: "a", count: 16)) != nil
                && UploadQueue.ID(String(repeating: "9", count: 40)) != nil
        )
    }
}
