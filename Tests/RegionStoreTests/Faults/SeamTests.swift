import FaultInjection
import Foundation
import PeerStorage
import PeerTestSupport
import Testing

@testable import RegionStore

/// That the tests of faults have no gap.
@Suite(.timeLimit(.minutes(30))) struct SeamTests {
    @Test func everyPointAndEveryOperationIsReached() async throws {
        var reached: Set<Step> = []
        for kind in FaultCase.allCases {
            try await TemporaryDirectory.with(isInMemory: true) { directory in
                reached.formUnion(try FaultBench(kind, in: directory).steps.map(\.withoutPath))
            }
        }
        for point in FaultPoint.allCases { #expect(reached.contains(.point(point))) }
        // Memory is let go only after a failure: see aFileThatTheDiskRefusesIsReadAgain.
        for operation in FileOperation.allCases where operation != .evict {
            #expect(reached.contains(.file(operation, "")))
        }
        // No database's file is made shorter in a reception in which nothing goes wrong but to settle it.
        for operation in DatabaseOperation.allCases { #expect(reached.contains(.database(operation, ""))) }
    }

    @Test func aFileThatTheDiskRefusesIsReadAgain() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let bench = try FaultBench(.newRegion, in: directory)
            let number = try #require(
                bench.steps.firstIndex { step in
                    if case .file(.synchronize, let path) = step { return path.hasSuffix("/mbtiles") }
                    return false
                }
            )
            let recorder = StepRecorder(in: try bench.begin("refused"), .fail(at: number, .inputOutput))
            #expect(throws: RegionStoreError.self) { try bench.reception.run("store", recorder) }
            guard case .file(.synchronize, let path) = recorder.steps[number] else { return }
            #expect(recorder.steps[number + 1] == .file(.evict, path))
        }
    }

    /// What a store does to its files goes through `SystemCall`, or a test of faults does not see it.
    @Test func nothingIsDoneToFilesInAnotherWay() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../Sources"
        ).standardizedFileURL
        let calls = [
            "open", "openat", "creat", "pread", "preadv", "pwrite", "pwritev", "fsync", "fdatasync",
            "sync_file_range", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "unlink", "unlinkat",
            "mkdir",
            "mkdirat", "rmdir", "truncate", "ftruncate", "fallocate", "posix_fallocate", "flock", "fcntl", "sendfile",
            "copy_file_range", "ioctl", "fstatvfs", "statvfs", "faccessat", "access", "fchmod", "chmod", "mmap",
            "fopen",
            "remove", "posix_fadvise", "opendir",
        ]
        let call = try Regex(
            #"(?:^|[^A-Za-z0-9_.]|Glibc\.)(?:"# + calls.joined(separator: "|")
                + #")\([^)]|\b(?:read|write)\([^)]*(?:descriptor|fd)\b"#
        )
        let foundation = try Regex(#"FileManager|FileHandle|\.write\(to: *(?:URL|url)|contentsOf: *(?:URL|url)"#)
        var checked = 0
        let files = try ["PeerStorage", "RegionModel", "TrackFiles", "MapFiles", "RegionStore"].flatMap { target in
            try FileManager.default.subpathsOfDirectory(atPath: sources.path + "/" + target).map { target + "/" + $0 }
        }.filter { $0.hasSuffix(".swift") }
        for file in files {
            var lines = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            lines = lines.filter { !$0.contains("func ") && !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
            for (index, line) in lines.enumerated() where line.contains(call) || line.contains(foundation) {
                // The call stands in the closure that is handed to SystemCall, on the same line or just below.
                let before = lines[max(0, index - 8)...index].joined(separator: "\n")
                let isSeam = ["SystemCall.", "perform(", "writing("].contains { before.contains($0) }
                #expect(isSeam || Self.isAllowed(file, line), "\(file): \(line)")
                checked += 1
            }
        }
        #expect(checked > 15)
    }

    /// Files that are not the store's, and names that mean something else.
    private static func isAllowed(_ file: String, _ line: String) -> Bool {
        let allowed = [
            "TrackFiles/Reading/TrackFileReader.swift": ["try open(path"],
            "PeerStorage/Files/FileLock.swift": ["LOCK_UN"],
            "MapFiles/Archives/Databases/DatabaseArchive.swift": ["try open(database"],
            "RegionStore/Import/Databases/DatabaseSnapshot.swift": ["try open(path)"],
            "RegionStore/Import/InputFile.swift": ["open(location", "read(descriptor", "open(name", "access(name"],
            "RegionStore/Import/ImportKind.swift": ["contentsOfDirectory", "destinationOfSymbolicLink"],
            "RegionStore/Export/ExportFile.swift": ["fileExists(atPath", "mkdir(folder", "removeItem(atPath"],
            "RegionStore/Import/Databases/DatabaseSnapshot+Mending.swift": ["try? open(path)"],
            "RegionStore/Downloads/RegionItems.swift": ["FileManager.default.temporaryDirectory"],
            "TrackFiles/Reading/TrackFileReader+Upload.swift": ["/proc/self/fd"],
            "RegionStore/Files/UnfinishedFiles.swift": ["unlink(path)", "rmdir(path)", "removeItem(atPath: path)"],
            "RegionStore/RegionStore+Changes.swift": ["remove(id)", "unlink(path)"],
            "RegionStore/Export/RegionStore+DesktopFolder.swift": ["chmod(new.path(of: result.map)"],
        ]
        return allowed[file]?.contains { line.contains($0) } == true
    }
}

extension Step {
    fileprivate var withoutPath: Step {
        switch self {
        case .point: self
        case .file(let operation, _): .file(operation, "")
        case .database(let operation, _): .database(operation, "")
        }
    }
}
