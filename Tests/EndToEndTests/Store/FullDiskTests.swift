import Foundation
import PeerTestSupport
import Testing

/// A store on a disk that is full to the last byte.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct FullDiskTests {
    /// Runs a script in a mount namespace of its own, with a small disk that goes away with it.
    ///
    /// In the script the disk is at `$disk`, another folder at `$home` and the example region at `$example`. `hikeshare` runs
    /// the program on a store on the disk, which has the example region, and writes the exit code; `fill` takes all room
    /// that is left; `room` writes how much that is.
    private func run(_ script: String, in directory: TemporaryDirectory) async throws -> Ending {
        let (disk, home) = (directory.path("disk"), directory.path("home"))
        for path in [disk, home] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let whole = #"""
            program=$0 disk=$1 home=$2 example=$3
            hikeshare() { HIKESHARE_STORE="$disk/store" "$program" "$@"; echo "$1 $?"; }
            fill() { for block in 1048576 4096 1; do dd if=/dev/zero of="$disk/filler-$block" bs=$block 2>/dev/null; done; true; }
            room() { echo "room $(($(stat -f -c '%a * %S' "$disk")))"; }
            mount -t tmpfs -o size=80m tmpfs "$disk" || exit 99
            hikeshare import "$example/coma-pedrosa.mbtiles" --routing "$example/coma-pedrosa.routing.db" \
                --name Coma "$example"/*.gpx >/dev/null

            """# + script
        let arguments = ["-m", "sh", "-c", whole, Place.program, disk, home, Place.repository + "/Docs/example"]
        return try await ChildProcess.with("unshare", arguments) { child in
            try await Laptop.impatiently(child) { await child.ending() }
        }
    }

    @Test func whatIsThereIsReadAndExportedAndRemovingMakesRoom() async throws {
        try await TemporaryDirectory.with { directory in
            let ending = try await run(
                #"""
                fill; room
                hikeshare list
                hikeshare show Coma | tail -n 1
                hikeshare export Coma --to "$home"
                hikeshare list --incoming
                hikeshare remove Coma --yes --export "$home/kept.gpx"
                room
                hikeshare list
                """#,
                in: directory
            )
            let codes = ending.output.filter { $0.wholeMatch(of: #/(list|show|export|remove) \d+/#) != nil }
            #expect(
                codes == ["list 0", "show 0", "export 0", "list 0", "remove 0", "list 0"],
                "\(ending)"
            )
            let rooms = ending.output.filter { $0.hasPrefix("room ") }.compactMap { Int($0.dropFirst(5)) }
            try #require(rooms.count == 2, "\(ending)")
            #expect(rooms[0] == 0, "\(ending)")
            // The map alone has 2.6 MB.
            #expect(rooms[1] > 2_500_000, "\(ending)")
            let map = directory.path("home") + "/Coma.mbtiles"
            #expect(FileManager.default.contentsEqual(atPath: map, andPath: Example.map), "\(ending)")
        }
    }

    @Test func aFullDiskIsNotCalledAFailingOne() async throws {
        try await TemporaryDirectory.with { directory in
            let ending = try await run(
                #"""
                rm -f "$disk/store/reserve"; fill
                hikeshare import "$example"/*track.gpx --region Coma
                hikeshare import "$example/coma-pedrosa.mbtiles" --name Other
                hikeshare export Coma --to "$disk"
                hikeshare export Coma --osmand "$disk/coma.sqlitedb"
                echo "left $(find "$disk" -maxdepth 1 -type f -not -name 'filler-*' | wc -l)"
                """#,
                in: directory
            )
            #expect(ending.output.contains("import 7"), "\(ending)")
            #expect(ending.output.filter { $0 == "export 7" }.count == 2, "\(ending)")
            #expect(ending.output.contains("left 0"), "\(ending)")
            #expect(ending.words.contains("is full"), "\(ending)")
            #expect(ending.words.contains("Free some space"), "\(ending)")
            #expect(!ending.words.contains("failing"), "\(ending)")
            #expect(!ending.words.contains("reports an error"), "\(ending)")
        }
    }

    @Test func theReserveComesBackWhenThereIsRoom() async throws {
        try await TemporaryDirectory.with { directory in
            let ending = try await run(
                #"""
                stat -c 'reserve %b' "$disk/store/reserve"
                fill
                hikeshare remove Coma --yes --with-routes
                rm "$disk"/filler-*
                hikeshare import "$example/coma-pedrosa.mbtiles" --name Other
                stat -c 'reserve %b' "$disk/store/reserve"
                """#,
                in: directory
            )
            // 4 MiB in blocks of 512 bytes.
            #expect(ending.output.filter { $0 == "reserve 8192" }.count == 2, "\(ending)")
            #expect(ending.output.contains("remove 0"), "\(ending)")
        }
    }

    /// What does not fit is refused before its first byte, and what ends in the middle leaves nothing.
    @Test func filesThatAreAddedInTheWindowLeaveTheDiskUsable() async throws {
        try await TemporaryDirectory.with { directory in
            let ending = try await run(
                #"""
                mkfifo "$home/told"
                HIKESHARE_STORE="$disk/store" "$program" map --window --no-browser --no-localsend --format json >"$home/told" & window=$!
                exec 3<"$home/told"
                read -r line <&3
                url=$(printf %s "$line" | sed 's/.*"url":"\([^"]*\)".*/\1/; s#\\/#/#g')
                origin=$(printf %s "$url" | cut -d/ -f1-3)
                post() {
                    curl --silent --header "Origin: $origin" --header "Content-Type: $2" --data-binary "$3" --write-out '\ncode %{http_code}\n' \
                        "${url}window/$1"
                }
                echo large; post files application/json '{"names":["large.mbtiles"],"sizes":[60000000]}'
                echo small; told=$(post files application/json '{"names":["small.gpx"],"sizes":[1000000]}'); echo "$told"
                id=$(printf %s "$told" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
                post "block/$id/0" application/octet-stream hello
                fill
                post "block/$id/5" application/octet-stream hello
                rm -f "$disk"/filler-*
                while curl --silent "${url}window/state/0" | tee "$home/state" | grep -q '"isRunning":true'; do :; done
                cat "$home/state"; echo
                echo "left $(find "$disk/store/work" -mindepth 1 | wc -l)"
                kill -TERM $window; wait $window
                hikeshare list
                """#,
                in: directory
            )
            let codes = ending.output.filter { $0.hasPrefix("code ") }
            #expect(codes == ["code 507", "code 200", "code 200", "code 507"], "\(ending)")
            let told = ending.output.joined(separator: "\n")
            #expect(told.contains("Not enough disk space"), "\(ending)")
            #expect(ending.output.contains("left 0") && ending.output.contains("list 0"), "\(ending)")
            #expect(told.contains("\nComa"), "\(ending)")
        }
    }
}
