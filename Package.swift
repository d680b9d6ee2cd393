// swift-tools-version: 6.2

import PackageDescription

// Layering, enforced by `--explicit-target-dependency-import-check error` (see Docs/Design.md):
//
//                   CAvahi <- Avahi <- PeerCore <-+- NearbyPeers <- PeerTesting
//                                         |       +- Diagnosis <-.
//   CSHA256 <- PeerProtocol <- PeerStorage <      +- HikeShareCommands <- hikeshare
//                                         |       |      |
//                         CZlib <- RegionStore <-'      |-> CMalloc, CQREncode
//                                       ^               |
//            CMapAssets <-------- MapPages -> WebServer <+
//                                                       |
//                        CDBus <- DBus <- NetworkManager <'
let package = Package(
    name: "hikeshare",
    products: [
        .library(name: "PeerCore", targets: ["PeerCore"]),
        .library(name: "NearbyPeers", targets: ["NearbyPeers"]),
        .library(name: "PeerTesting", targets: ["PeerTesting"]),
        .library(name: "PeerStorage", targets: ["PeerStorage"]),
        .library(name: "RegionStore", targets: ["RegionStore"]),
        .library(name: "Avahi", targets: ["Avahi"]),
        .executable(name: "hikeshare", targets: ["hikeshare"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CSHA256"),
        // Only the program needs it, and with it Leaflet: no library product depends on it.
        .target(name: "CMapAssets", exclude: ["Web"]),
        .target(name: "Avahi", dependencies: ["CAvahi"]),
        .target(name: "DBus", dependencies: ["CDBus"]),
        .target(name: "NetworkManager", dependencies: ["DBus"]),
        .target(
            name: "PeerProtocol",
            dependencies: [
                "CSHA256",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "PeerStorage",
            dependencies: [
                "PeerProtocol",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ]
        ),
        .target(
            name: "PeerCore",
            dependencies: [
                "Avahi",
                "PeerProtocol",
                "PeerStorage",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "NearbyPeers",
            dependencies: [
                "PeerCore",
                "PeerProtocol",
                "PeerStorage",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "Diagnosis",
            dependencies: ["Avahi", "PeerCore", .product(name: "NIOCore", package: "swift-nio")]
        ),
        .target(
            name: "PeerTesting",
            dependencies: [
                "NearbyPeers",
                "PeerCore",
                "PeerProtocol",
                "PeerStorage",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ]
        ),
        .target(
            name: "RegionStore",
            dependencies: [
                "CZlib",
                "PeerProtocol",
                "PeerStorage",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "WebServer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .target(
            name: "MapPages",
            dependencies: ["CMapAssets", "RegionStore", "WebServer", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .target(
            name: "HikeShareCommands",
            dependencies: [
                "CMalloc",
                "CQREncode",
                "Diagnosis",
                "MapPages",
                "NetworkManager",
                "PeerCore",
                "RegionStore",
                "WebServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(name: "hikeshare", dependencies: ["HikeShareCommands"]),

        // The examples are programs that tests run. They are not among the products.
        .target(
            name: "ExampleSupport",
            dependencies: ["NearbyPeers", .product(name: "Logging", package: "swift-log")],
            path: "Docs/Examples/Support"
        ),
        .executableTarget(name: "Chat", dependencies: ["ExampleSupport", "NearbyPeers"], path: "Docs/Examples/Chat"),
        .executableTarget(
            name: "LightBox",
            dependencies: ["ExampleSupport", "NearbyPeers"],
            path: "Docs/Examples/LightBox"
        ),
        .executableTarget(
            name: "BabyNanny",
            dependencies: ["ExampleSupport", "NearbyPeers"],
            path: "Docs/Examples/BabyNanny"
        ),

        .target(
            name: "PeerTestSupport",
            dependencies: [
                "PeerCore",
                "PeerProtocol",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/PeerTestSupport"
        ),
        .target(
            name: "FuzzBodies",
            dependencies: [
                "Avahi",
                "PeerCore",
                "PeerProtocol",
                "RegionStore",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/Fuzzing/Bodies"
        ),
        .target(
            name: "FaultInjection",
            dependencies: [
                "PeerCore",
                "PeerStorage",
                "PeerTestSupport",
                "RegionStore",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Tests/FaultInjection"
        ),
        .executableTarget(name: "FaultyReceiver", dependencies: ["FaultInjection"], path: "Tests/FaultyReceiver"),
        .target(
            name: "DBusTestSupport",
            dependencies: ["CDBus", "DBus", "PeerTestSupport"],
            path: "Tests/DBusTestSupport"
        ),
        .executableTarget(name: "WiredNetwork", dependencies: ["DBus", "NetworkManager"], path: "Tests/WiredNetwork"),
        .target(
            name: "GroupSimulation",
            dependencies: [
                "NearbyPeers",
                "PeerCore",
                "PeerProtocol",
                "PeerTesting",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/GroupSimulation"
        ),
        .executableTarget(name: "Simulate", dependencies: ["GroupSimulation"], path: "Tests/Simulate"),
        .testTarget(name: "GroupSimulationTests", dependencies: ["PeerTestSupport", "Simulate"]),
        .testTarget(name: "AvahiTests", dependencies: ["Avahi", "CAvahi", "PeerTestSupport"]),
        .testTarget(name: "DBusTests", dependencies: ["CDBus", "DBus", "DBusTestSupport", "PeerTestSupport"]),
        .testTarget(
            name: "NetworkManagerTests",
            dependencies: ["DBus", "DBusTestSupport", "NetworkManager", "PeerTestSupport", "WiredNetwork"]
        ),
        .testTarget(
            name: "PeerProtocolTests",
            dependencies: [
                "PeerProtocol",
                "PeerTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "PeerCoreTests",
            dependencies: [
                "Avahi",
                "PeerCore",
                "PeerTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .testTarget(
            name: "NearbyPeersTests",
            dependencies: [
                "BabyNanny",
                "Chat",
                "LightBox",
                "NearbyPeers",
                "PeerCore",
                "PeerStorage",
                "PeerTesting",
                "PeerTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "RegionStoreTests",
            dependencies: [
                "FaultInjection",
                "FaultyReceiver",
                "NearbyPeers",
                "RegionStore",
                "PeerCore",
                "PeerStorage",
                "PeerTesting",
                "PeerTestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "DiagnosisTests",
            dependencies: [
                "Diagnosis",
                "PeerCore",
                "PeerTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .testTarget(name: "FuzzBodiesTests", dependencies: ["FuzzBodies"]),
        .testTarget(
            name: "WebServerTests",
            dependencies: [
                "WebServer",
                "PeerTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "MapPagesTests",
            dependencies: [
                "MapPages",
                "RegionStore",
                "WebServer",
                "PeerTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "HikeShareCommandsTests",
            dependencies: [
                "Diagnosis",
                "HikeShareCommands",
                "MapPages",
                "NetworkManager",
                "PeerCore",
                "RegionStore",
                "WebServer",
                "PeerTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Screens/Expected"]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "DBus",
                "DBusTestSupport",
                "hikeshare",
                "PeerCore",
                "RegionStore",
                "PeerTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Set by Scripts/fuzz, which builds nothing but this: libFuzzer brings its own main function.
let isFuzzing = Context.environment["HIKESHARE_FUZZ"] != nil
if isFuzzing {
    package.targets.append(
        .executableTarget(
            name: "Fuzzing",
            dependencies: ["FuzzBodies"],
            path: "Tests/Fuzzing/Entry",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        )
    )
}

// Set by Scripts/bench, whose group for sessions runs this program.
if Context.environment["HIKESHARE_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "SessionBench",
            dependencies: [
                "NearbyPeers",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/SessionBench"
        )
    )
}

// Set where the thread sanitizer runs: it needs nothing of maps, and building is most of its time.
if Context.environment["HIKESHARE_CORE_ONLY"] != nil {
    let targets = [
        "CAvahi", "CSHA256", "Avahi", "PeerProtocol", "PeerStorage", "PeerCore", "NearbyPeers", "PeerTesting",
    ]
    let tests = ["PeerTestSupport", "PeerCoreTests", "NearbyPeersTests"]
    let examples = ["ExampleSupport", "BabyNanny", "Chat", "LightBox"]
    package.targets.removeAll { !(targets + tests + examples).contains($0.name) }
    package.products.removeAll { !targets.contains($0.name) }
}

for target in package.targets where target.type != .system && target.type != .plugin {
    var settings = target.swiftSettings ?? []
    settings.append(contentsOf: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ])
    // Set where every change is checked; a newer compiler's warnings must not stop anybody else.
    if Context.environment["HIKESHARE_WARNINGS_AS_ERRORS"] != nil {
        settings.append(.treatAllWarnings(as: .error))
        target.cSettings = [.treatAllWarnings(as: .error)]
    }
    // Our own code only: the dependencies have fuzzers of their own.
    if isFuzzing {
        settings.append(
            .unsafeFlags(["-parse-as-library", "-sanitize=fuzzer,address", "-O", "-assert-config", "Debug"])
        )
        target.cSettings = [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
    }
    target.swiftSettings = settings
}
