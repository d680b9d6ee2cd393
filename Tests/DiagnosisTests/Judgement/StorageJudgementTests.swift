import Foundation
import PeerTestSupport
import Testing

@testable import Diagnosis

@Suite struct StorageJudgementTests {
    @Test(arguments: [
        (StoreFacts(path: "/s", free: 0), Finding.Code.diskFull, Finding.Severity.problem),
        (StoreFacts(path: "/s", free: 69_999_999, reserve: 70_000_000), .diskFull, .problem),
        (StoreFacts(path: "/s", free: 70_000_000, reserve: 70_000_000), .diskLow, .warning),
        (StoreFacts(path: "/s", free: 169_999_999, reserve: 70_000_000), .diskLow, .warning),
        (StoreFacts(path: "/s", free: 170_000_000, reserve: 70_000_000), .space, .ok),
        (StoreFacts(path: "/s", free: .max, hasFreeFiles: false), .diskFull, .problem),
        (StoreFacts(path: "/s", free: .max, isOpenToOthers: true), .openToOthers, .problem),
        (StoreFacts(path: "/s", free: .max), .space, .ok),
        (StoreFacts(path: "/s", free: 0, isReadOnly: true, isWritable: false), .readOnly, .problem),
        (StoreFacts(path: "/s", free: .max, isWritable: false), .noPermission, .problem),
    ])
    func judgesTheDisk(store: StoreFacts, code: Finding.Code, severity: Finding.Severity) {
        let finding = Judgement.storage(store)
        #expect(finding?.code == code)
        #expect(finding?.severity == severity)
    }

    @Test func saysNothingOfADiskThatItDoesNotKnow() {
        #expect(Judgement.storage(StoreFacts(path: "/s", free: nil)) == nil)
    }

    @Test func looksAboveAFolderThatDoesNotExist() async throws {
        try await TemporaryDirectory.with { directory in
            let store = StoreFacts(reading: directory.path("not/there"))
            #expect(store.path == directory.url.path)
            #expect(store.free ?? 0 > 0)
            #expect(store.isWritable && !store.isReadOnly)
            #expect(StoreFacts(reading: "/nowhere").path == "/")
        }
    }

    @Test func findsAStoreThatOthersMayChange() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            for (mode, isOpen) in [(0o700, false), (0o777, true), (0o720, true)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                #expect(StoreFacts(reading: path).isOpenToOthers == isOpen)
            }
            // The store will have permissions of its own.
            #expect(!StoreFacts(reading: path + "/new").isOpenToOthers)
        }
    }

    @Test func findsTheDiskOfAFolder() {
        #expect(StoreFacts(reading: "/proc/self").mountPoint == "/proc")
        #expect(StoreFacts(reading: "/").mountPoint == "/")
    }
}
