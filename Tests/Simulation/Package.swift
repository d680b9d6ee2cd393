// swift-tools-version: 6.2

import PackageDescription

// Simulates groups of peers with faults: see Docs/Reliability.md. Scripts/simulate and Scripts/test build it.

// What hikeshare declares as `package` is visible here, too. The compiler knows that package by its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last ?? ""
let packageName = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let package = Package(
    name: "Simulation",
    dependencies: [
        .package(name: "hikeshare", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(
            name: "GroupSimulation",
            dependencies: [
                .product(name: "NearbyPeers", package: "hikeshare"),
                .product(name: "PeerCore", package: "hikeshare"),
                .product(name: "PeerTesting", package: "hikeshare"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "GroupSimulation",
            resources: [
                .embedInCode("Film/Page/film.html"), .embedInCode("Film/Page/film.css"),
                .embedInCode("Film/Page/film.js"),
            ],
            packageAccess: false
        ),
        .executableTarget(
            name: "Simulate",
            dependencies: ["GroupSimulation"],
            path: "Simulate",
            packageAccess: false
        ),
        .testTarget(
            name: "GroupSimulationTests",
            dependencies: ["GroupSimulation", "Simulate"],
            path: "GroupSimulationTests",
            packageAccess: false
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
