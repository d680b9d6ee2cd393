// swift-tools-version: 6.2

import PackageDescription

// Looks for inputs that crash, hang or break what must hold: see Docs/Threats.md. Scripts/fuzz and Scripts/test build it.

// What hikeshare declares as `package` is visible here, too. The compiler knows that package by its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? ""
let packageName = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let package = Package(
    name: "Fuzzing",
    dependencies: [
        .package(name: "hikeshare", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(
            name: "FuzzBodies",
            dependencies: [
                .product(name: "Avahi", package: "hikeshare"),
                .product(name: "PeerCore", package: "hikeshare"),
                .product(name: "RegionStore", package: "hikeshare"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "FuzzBodies",
            packageAccess: false
        ),
        .testTarget(
            name: "FuzzBodiesTests",
            dependencies: ["FuzzBodies"],
            path: "FuzzBodiesTests",
            packageAccess: false
        ),
        // libFuzzer is linked; only Scripts/fuzz compiles with what it needs to be of use.
        .executableTarget(
            name: "Fuzzing",
            dependencies: ["FuzzBodies"],
            path: "Fuzzing",
            packageAccess: false,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .unsafeFlags(["-package-name", packageName]),
    ]
    if Context.environment["HIKESHARE_WARNINGS_AS_ERRORS"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
