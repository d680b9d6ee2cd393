// swift-tools-version: 6.2

import PackageDescription

// An application that depends on this package's libraries by version. Tests/PackageTests/run builds it outside the
// repository, and puts the lines of README.md in the place of the marks.
let package = Package(
    name: "Application",
    dependencies: [
        // README: package
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2")
    ],
    targets: [
        .executableTarget(
            name: "Application",
            dependencies: [
                .product(name: "Avahi", package: "hikeshare"),
                .product(name: "PeerCore", package: "hikeshare"),
                .product(name: "RegionSharing", package: "hikeshare"),
                .product(name: "RegionStore", package: "hikeshare"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "Readme",
            dependencies: [
                // README: product
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
