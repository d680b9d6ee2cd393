// swift-tools-version: 6.2

import PackageDescription

// Products of other packages.
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioConcurrencyHelpers: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let swiftASN1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")

// Layering, enforced by `--explicit-target-dependency-import-check error` (see Docs/Design.md):
//
//                   CAvahi <- Avahi <- PeerCore <-+- NearbyPeers <- PeerTesting
//                                         |       +- Diagnosis <-.
//   CSHA256 <- PeerProtocol <- PeerStorage <      +- HikeShareCommands <- hikeshare
//                                         |       |      |
//                         CZlib <- RegionStore <-'      |-> CMalloc, CQREncode
//                                       ^               |
//            CMapAssets <-------- MapPages -> WebServer <+        (WebServer -> PeerStorage, CZlib)
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
            dependencies: ["CSHA256", nioCore, crypto]
        ),
        .target(
            name: "PeerStorage",
            dependencies: ["PeerProtocol", nioCore, nioConcurrencyHelpers]
        ),
        .target(
            name: "PeerCore",
            dependencies: [
                "Avahi", "PeerProtocol", "PeerStorage", nioCore, nioConcurrencyHelpers, nioPosix, nioTLS, nioSSL,
                crypto, x509, swiftASN1, logging,
            ]
        ),
        .target(
            name: "NearbyPeers",
            dependencies: ["PeerCore", "PeerProtocol", "PeerStorage", nioCore, nioConcurrencyHelpers, logging]
        ),
        .target(
            name: "Diagnosis",
            dependencies: ["Avahi", "PeerCore", nioCore]
        ),
        .target(
            name: "PeerTesting",
            dependencies: ["NearbyPeers", "PeerCore", "PeerProtocol", "PeerStorage", nioCore, nioConcurrencyHelpers]
        ),
        .target(
            name: "RegionStore",
            dependencies: ["CZlib", "PeerProtocol", "PeerStorage", nioCore, crypto, grdb, grdbSQLite]
        ),
        .target(
            name: "WebServer",
            dependencies: ["CZlib", "PeerStorage", nioCore, nioHTTP1, nioPosix]
        ),
        .target(
            name: "MapPages",
            dependencies: ["CMapAssets", "PeerStorage", "RegionStore", "WebServer", crypto]
        ),
        .target(
            name: "HikeShareCommands",
            dependencies: [
                "CMalloc", "CQREncode", "Diagnosis", "MapPages", "NetworkManager", "PeerCore", "RegionStore",
                "WebServer", argumentParser, logging, unixSignals,
            ]
        ),
        .executableTarget(name: "hikeshare", dependencies: ["HikeShareCommands"]),

        // The examples are programs that tests run. They are not among the products.
        .target(
            name: "ExampleSupport",
            dependencies: ["NearbyPeers", logging],
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
            dependencies: ["PeerCore", "PeerProtocol", nioCore],
            path: "Tests/PeerTestSupport"
        ),
        .target(
            name: "FuzzBodies",
            dependencies: ["Avahi", "PeerCore", "PeerProtocol", "RegionStore", nioCore],
            path: "Tests/Fuzzing/Bodies"
        ),
        .target(
            name: "FaultInjection",
            dependencies: ["PeerCore", "PeerStorage", "PeerTestSupport", "RegionStore", nioCore, grdbSQLite],
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
                "NearbyPeers", "PeerCore", "PeerProtocol", "PeerTesting", nioCore, nioConcurrencyHelpers, logging,
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
            dependencies: ["PeerProtocol", "PeerTestSupport", nioCore, nioEmbedded]
        ),
        .testTarget(
            name: "PeerCoreTests",
            dependencies: [
                "Avahi", "PeerCore", "PeerTestSupport", nioCore, nioEmbedded, nioPosix, nioSSL, swiftASN1, x509,
            ]
        ),
        .testTarget(
            name: "NearbyPeersTests",
            dependencies: [
                "BabyNanny", "Chat", "LightBox", "NearbyPeers", "PeerCore", "PeerStorage", "PeerTesting",
                "PeerTestSupport", nioCore, logging,
            ]
        ),
        .testTarget(
            name: "RegionStoreTests",
            dependencies: [
                "FaultInjection", "FaultyReceiver", "NearbyPeers", "RegionStore", "PeerCore", "PeerStorage",
                "PeerTesting", "PeerTestSupport", logging, nioCore, grdb,
            ]
        ),
        .testTarget(
            name: "DiagnosisTests",
            dependencies: ["Diagnosis", "PeerCore", "PeerTestSupport", nioCore]
        ),
        .testTarget(name: "FuzzBodiesTests", dependencies: ["FuzzBodies"]),
        .testTarget(
            name: "WebServerTests",
            dependencies: ["WebServer", "PeerStorage", "PeerTestSupport", nioCore, nioHTTP1]
        ),
        .testTarget(
            name: "MapPagesTests",
            dependencies: [
                "MapPages", "PeerProtocol", "PeerStorage", "RegionStore", "WebServer", "PeerTestSupport", nioCore, grdb,
            ]
        ),
        .testTarget(
            name: "HikeShareCommandsTests",
            dependencies: [
                "Diagnosis", "HikeShareCommands", "MapPages", "NetworkManager", "PeerCore", "RegionStore",
                "WebServer", "PeerTestSupport", argumentParser,
            ],
            exclude: ["Screens/Expected"]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "DBus", "DBusTestSupport", "hikeshare", "PeerCore", "RegionStore", "PeerTestSupport", nioCore,
                nioPosix, grdb,
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
