import Foundation
import GRDB
import PeerTestSupport
import Testing

/// Stores that cannot be written, and stores that are not there.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ReadOnlyStoreTests {
    /// Runs a script in a mount namespace of its own, in which a store with the example region is on a read-only disk.
    ///
    /// In the script, `hikeshare` runs the program on the store and writes the exit code; `$home` is a folder.
    private func onReadOnlyDisk(
        _ script: String,
        in directory: TemporaryDirectory,
        prepare: (_ store: String) async throws -> Void = { _ in }
    ) async throws -> Ending {
        let laptop = Laptop(store: directory.path("store"))
        try await Example.put(on: laptop)
        try await prepare(laptop.store)
        let home = directory.path("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        let whole = #"""
            program=$0 store=$1 home=$2
            hikeshare() { HIKESHARE_STORE="$store" "$program" "$@"; echo "$1 $?"; }
            mount --bind "$store" "$store" && mount -o remount,ro,bind "$store" || exit 99
            touch "$store/x" 2>/dev/null && exit 98

            """# + script
        let arguments = ["-m", "sh", "-c", whole, Place.program, laptop.store, home]
        return try await ChildProcess.with("unshare", arguments) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
    }

    @Test func aReadOnlyDiskIsRead() async throws {
        try await TemporaryDirectory.with { directory in
            let ending = try await onReadOnlyDisk(
                #"""
                hikeshare list
                hikeshare show Coma
                hikeshare list --incoming
                hikeshare export Coma --to "$home"
                """#,
                in: directory
            )
            let codes = ending.output.filter { $0.wholeMatch(of: #/(list|show|export) \d+/#) != nil }
            #expect(codes == ["list 0", "show 0", "list 0", "export 0"], "\(ending)")
            #expect(ending.output.contains { $0.contains("Coma Pedrosa") && $0.contains("46 waypoints") }, "\(ending)")
            let map = directory.path("home") + "/Coma-Pedrosa.mbtiles"
            #expect(FileManager.default.contentsEqual(atPath: map, andPath: Example.map), "\(ending)")
        }
    }

    @Test func whatWritesSaysThatItCannot() async throws {
        try await TemporaryDirectory.with { directory in
            let ending = try await onReadOnlyDisk(
                #"""
                hikeshare rename Coma Other
                hikeshare remove "Coma Pedrosa" --waypoint 1 --yes
                hikeshare list
                """#,
                in: directory
            )
            let codes = ending.output.filter { $0.wholeMatch(of: #/(rename|remove|list) \d+/#) != nil }
            #expect(codes == ["rename 7", "remove 7", "list 0"], "\(ending)")
            #expect(ending.output.contains { $0.contains("Coma Pedrosa") && $0.contains("46 waypoints") }, "\(ending)")
        }
    }

    /// The log of a process that died holds changes that only a process that may write can finish.
    @Test func unfinishedChangesAreNotIgnored() async throws {
        try await TemporaryDirectory.with { directory in
            let ending = try await onReadOnlyDisk("hikeshare list", in: directory) { store in
                let path = store + "/hikeshare.sqlite"
                let pool = try DatabasePool(path: path)
                try await pool.write { try $0.execute(sql: "UPDATE region SET name = 'Later'") }
                let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
                let database = try Data(contentsOf: URL(fileURLWithPath: path))
                #expect(!log.isEmpty)
                try pool.close()
                try database.write(to: URL(fileURLWithPath: path))
                try log.write(to: URL(fileURLWithPath: path + "-wal"))
            }
            #expect(ending.output == ["list 7"], "\(ending)")
            #expect(ending.words.contains("unfinished changes"), "\(ending)")
        }
    }

    @Test func aFolderWithoutPermissionToWriteIsRead() async throws {
        try await TemporaryDirectory.with { directory in
            var laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            laptop.hasPrivileges = false
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: laptop.store)
            defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: laptop.store) }
            try await laptop.must("list")
            let shown = try await laptop.must("show", Example.name)
            #expect(try shown.lines("waypoint").count == 46)
            #expect(try await laptop.run("rename", Example.name, "Other").code == 7)
        }
    }

    // MARK: Stores that are not there

    @Test(arguments: [
        ["list"], ["list", "--incoming"], ["show", "x"], ["export", "x", "--to", "/tmp"], ["send", "x", "--yes"],
        ["remove", "x", "--yes"], ["rename", "x", "y"], ["discard", "x"], ["waypoint", "add", "x", "1,2", "y"],
        ["peers", "forget", "x"], ["peers", "rename", "x", "y"],
    ])
    func aMisspeltStoreIsAnErrorThatNamesIt(arguments: [String]) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a/stroe"))
            let ending = try await laptop.start(arguments + ["--format", "json"]) { await $0.ending() }
            #expect(ending.code == 3, "\(ending)")
            #expect(try ending.problem()["message"]?.string == "There is no store at \(laptop.store).")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
    }

    @Test func theStoreThatNobodyNamedIsSimplyEmpty() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: "")
            let home: [String: String?] = ["HOME": directory.path, "XDG_DATA_HOME": nil]
            let listed = try await laptop.tell("list", environment: home)
            #expect(listed.code == 0 && listed.words.contains("You have no maps yet"), "\(listed)")
            let shown = try await laptop.tell("show", "x", environment: home)
            #expect(shown.code == 3 && shown.words.contains("You have no maps yet"), "\(shown)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)

            let imported = try await laptop.tell("import", Example.map, environment: home)
            #expect(imported.code == 0, "\(imported)")
            #expect(imported.words.contains("Created a store in \(directory.path)/.local/share/hikeshare"))
            let again = try await laptop.tell("import", Example.map, environment: home)
            #expect(again.code == 0 && !again.words.contains("Created"), "\(again)")
        }
    }
}
