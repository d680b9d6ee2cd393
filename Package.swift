// swift-tools-version: 6.2

import PackageDescription

// Products of other packages that targets depend on.
let otherProducts: KeyValuePairs<String, [String]> = [
    "GRDB.swift": ["GRDB", "GRDBSQLite"],
    "swift-argument-parser": ["ArgumentParser"],
    "swift-asn1": ["SwiftASN1"],
    "swift-certificates": ["X509"],
    "swift-crypto": ["Crypto"],
    "swift-log": ["Logging"],
    "swift-nio": ["NIOConcurrencyHelpers", "NIOCore", "NIOEmbedded", "NIOHTTP1", "NIOPosix", "NIOTLS"],
    "swift-nio-ssl": ["NIOSSL"],
    "swift-service-lifecycle": ["UnixSignals"],
]

// The traits without which a product is not needed, and its package is not even fetched.
let traits = ["GRDB": "Maps", "GRDBSQLite": "Maps", "ArgumentParser": "Program", "UnixSignals": "Program"]

// `--explicit-target-dependency-import-check error` enforces the layers below (see Docs/Design.md).
let package = Package(
    name: "hikeshare",
    // The program is no product for other packages: `swift run` in an application would plan it, too, and the next `swift build`
    // would compile what the application has no dependencies for.
    products: ["PeerCore", "NearbyPeers", "PeerTesting", "PeerStorage", "RegionStore", "RegionSharing", "Avahi"].map {
        .library(name: $0, targets: [$0])
    },
    // An application names those that it needs; a peer application needs none: `traits: []`.
    traits: [
        .trait(name: "Maps", description: "What RegionStore and RegionSharing depend on."),
        .trait(name: "Program", description: "What the program hikeshare depends on.", enabledTraits: ["Maps"]),
        .default(enabledTraits: ["Program"]),
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
    ],
    targets: [
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)

/// Reads targets, and what they depend on: targets that come before them, and products of other packages.
func targets(_ table: String) -> [(name: String, dependencies: [String])] {
    table.split(separator: "\n").map { $0.split { ": ".contains($0) }.map { String($0) } }.filter { $0[0] != "#" }.map {
        ($0[0], Array($0.dropFirst()))
    }
}

// In Sources.
let libraries = targets(
    """
    CSHA256:
    # Only the program needs it, and with it Leaflet and MapLibre: no library product depends on it.
    CMapAssets:
    # Only the program needs it; the libraries that it names are loaded when they are used.
    CCairo:
    # Takes the data of ICU out of the released program. A library product must not.
    CICUData:
    # The translations of sentences, of the PO files beside it.
    CTranslations:
    Sentences: CTranslations
    HostNetwork: NIOConcurrencyHelpers
    Avahi: CAvahi HostNetwork NIOConcurrencyHelpers
    DBus: CDBus
    NetworkManager: DBus HostNetwork
    PeerProtocol: CSHA256 CZlib NIOCore Crypto
    PeerStorage: PeerProtocol NIOCore NIOConcurrencyHelpers
    LocalSend: PeerProtocol
    PeerCore: Avahi HostNetwork PeerProtocol PeerStorage NIOCore NIOConcurrencyHelpers NIOPosix NIOTLS NIOSSL Crypto X509 \
        SwiftASN1 Logging
    NearbyPeers: PeerCore PeerProtocol PeerStorage NIOCore NIOConcurrencyHelpers Logging
    Diagnosis: Avahi DBus HostNetwork LocalSend PeerCore PeerStorage NIOCore
    PeerTesting: NearbyPeers PeerCore PeerProtocol PeerStorage NIOCore NIOConcurrencyHelpers
    RegionModel: PeerProtocol PeerStorage
    TrackFiles: PeerProtocol PeerStorage RegionModel NIOCore Crypto
    MapFiles: PeerProtocol PeerStorage RegionModel GRDB GRDBSQLite
    Routing: MapFiles PeerStorage RegionModel
    RegionStore: MapFiles PeerProtocol PeerStorage RegionModel TrackFiles NIOCore Crypto GRDB GRDBSQLite
    WebServer: HostNetwork PeerProtocol PeerStorage Sentences NIOCore NIOHTTP1 NIOPosix NIOSSL NIOTLS
    MapPages: CCairo CMapAssets PeerStorage RegionStore Routing Sentences TrackFiles WebServer Crypto
    RegionSharing: Diagnosis HostNetwork NetworkManager PeerCore RegionStore Routing TrackFiles Logging
    # Not in RegionSharing, because an application must not get Leaflet and MapLibre.
    PhoneSharing: HostNetwork LocalSend MapPages PeerCore PeerProtocol PeerStorage RegionSharing RegionStore Sentences \
        TrackFiles WebServer
    # What the faces of the program share: words for people, and JSON for programs.
    SharingReports: CQREncode Diagnosis HostNetwork MapPages NetworkManager PeerCore PhoneSharing RegionSharing \
        RegionStore Routing Sentences TrackFiles Logging
    SharingWindow: MapPages NetworkManager PeerCore RegionSharing RegionStore Routing Sentences SharingReports WebServer
    HikeShareCommands: CMalloc Diagnosis HostNetwork MapPages NetworkManager PeerCore PhoneSharing RegionSharing \
        RegionStore Routing Sentences SharingReports SharingWindow TrackFiles WebServer ArgumentParser Logging UnixSignals
    hikeshare: CICUData HikeShareCommands
    """
)

// In Docs/Examples. Tests run them; they are not among the products.
let examples = targets(
    """
    ExampleSupport: NearbyPeers Logging
    Chat: ExampleSupport NearbyPeers
    LightBox: ExampleSupport NearbyPeers
    BabyNanny: ExampleSupport NearbyPeers
    Kiosk: PeerCore RegionSharing RegionStore
    Shelf: PeerCore RegionSharing RegionStore
    """
)

// In Tests: what tests share, programs that they run, and the tests.
let tests = targets(
    """
    PeerTestSupport: PeerCore PeerProtocol NIOCore
    FaultInjection: PeerCore PeerStorage PeerTestSupport RegionStore NIOCore GRDBSQLite
    FaultyReceiver: FaultInjection
    RegionTestSupport: RegionModel TrackFiles GRDB GRDBSQLite
    SessionPartner: ExampleSupport NearbyPeers
    DBusTestSupport: CDBus DBus PeerTestSupport
    WiredNetwork: DBus NetworkManager
    DocumentTests:
    SentencesTests: Sentences
    HostNetworkTests: HostNetwork PeerTestSupport
    AvahiTests: Avahi CAvahi PeerTestSupport
    DBusTests: CDBus DBus DBusTestSupport PeerTestSupport
    NetworkManagerTests: DBus DBusTestSupport NetworkManager PeerTestSupport WiredNetwork
    PeerProtocolTests: PeerProtocol PeerStorage PeerTestSupport NIOCore NIOEmbedded
    LocalSendTests: LocalSend PeerProtocol PeerTestSupport
    PeerCoreTests: Avahi HostNetwork PeerCore PeerTestSupport NIOCore NIOEmbedded NIOPosix NIOSSL NIOTLS SwiftASN1 X509
    NearbyPeersTests: BabyNanny Chat LightBox NearbyPeers PeerCore PeerStorage PeerTesting PeerTestSupport \
        NIOConcurrencyHelpers NIOCore Logging
    RegionModelTests: PeerProtocol PeerTestSupport RegionModel RegionTestSupport Crypto
    TrackFilesTests: CZlib PeerProtocol PeerStorage PeerTestSupport RegionModel RegionTestSupport TrackFiles NIOCore
    MapFilesTests: MapFiles PeerProtocol PeerStorage PeerTestSupport RegionModel RegionTestSupport GRDB
    RoutingTests: MapFiles PeerTestSupport RegionModel RegionTestSupport Routing GRDB
    RegionStoreTests: FaultInjection FaultyReceiver MapFiles NearbyPeers RegionStore RegionTestSupport TrackFiles \
        PeerCore PeerStorage PeerTesting PeerTestSupport Logging NIOCore GRDB
    DiagnosisTests: DBus Diagnosis HostNetwork PeerCore PeerTestSupport NIOCore
    WebServerTests: Sentences WebServer PeerCore PeerStorage PeerTestSupport NIOCore NIOHTTP1
    MapPagesTests: MapPages PeerProtocol PeerStorage RegionStore Routing Sentences WebServer PeerTestSupport NIOCore GRDB
    SharingTestSupport: PeerCore PeerTestSupport RegionSharing RegionStore NIOCore
    RegionSharingTests: Diagnosis HostNetwork PeerCore PeerTestSupport RegionSharing RegionStore RegionTestSupport \
        Routing SharingTestSupport Logging NIOCore
    PhoneSharingTests: HostNetwork LocalSend MapPages PeerCore PeerProtocol PeerStorage PhoneSharing RegionSharing \
        RegionStore Sentences TrackFiles WebServer PeerTestSupport RegionTestSupport SharingTestSupport
    HikeShareCommandsTests: Diagnosis HikeShareCommands HostNetwork MapPages NetworkManager PeerCore PhoneSharing \
        RegionSharing RegionStore Routing Sentences SharingReports SharingWindow TrackFiles WebServer PeerTestSupport \
        SharingTestSupport ArgumentParser NIOCore
    EndToEndTests: Chat DBus DBusTestSupport hikeshare Kiosk PeerCore RegionStore Shelf PeerTestSupport \
        RegionTestSupport SessionPartner TrackFiles NIOCore NIOPosix GRDB
    """
)

let programs: Set = [
    "hikeshare", "Chat", "LightBox", "BabyNanny", "Kiosk", "Shelf", "FaultyReceiver", "SessionPartner", "WiredNetwork",
]
let otherPaths = ["ExampleSupport": "Docs/Examples/Support"]
let excluded = [
    "CMapAssets": ["Web"], "CTranslations": ["Tables", "po"], "HikeShareCommandsTests": ["Screens/Expected"],
]

for (folder, table) in [("Sources", libraries), ("Docs/Examples", examples), ("Tests", tests)] {
    for (name, names) in table {
        let dependencies: [Target.Dependency] = names.map { name in
            let other = otherProducts.first { $0.value.contains(name) }
            guard let other else { return .byName(name: name) }
            let condition = traits[name].flatMap { TargetDependencyCondition.when(traits: [$0]) }
            return .product(name: name, package: other.key, condition: condition)
        }
        let (path, exclude) = (otherPaths[name] ?? "\(folder)/\(name)", excluded[name] ?? [])
        package.targets.append(
            name.hasSuffix("Tests")
                ? .testTarget(name: name, dependencies: dependencies, path: path, exclude: exclude)
                : programs.contains(name)
                    ? .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude)
                    : .target(name: name, dependencies: dependencies, path: path, exclude: exclude)
        )
    }
}

// HIKESHARE_ONLY=TARGET,TARGET builds these targets and what they need, and nothing else.
if let only = Context.environment["HIKESHARE_ONLY"] {
    var needed = Set(only.split(separator: ",").map { String($0) })
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}

for target in package.targets where target.type != .system {
    var settings: [SwiftSetting] = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    ].map { .enableUpcomingFeature($0) }
    // Set where every change is checked; a newer compiler's warnings must not stop anybody else.
    if Context.environment["HIKESHARE_WARNINGS_AS_ERRORS"] != nil {
        settings.append(.treatAllWarnings(as: .error))
        target.cSettings = [.treatAllWarnings(as: .error)]
    }
    target.swiftSettings = settings
}
