extension Finding {
    /// The name of what was found, for programs; it stays the same in all versions.
    package enum Code: String, CaseIterable, Sendable {
        case address, noInterface, radioOff, interfaceDown, noCarrier, noAddress, networkingOff, tunnelTakesNetwork
        case containersTakeNetwork, tunnelActive, tunnelBlocks, routeRefused, cardTakesNetwork, sharedAddress
        case duplicateAddress, hotspot

        case avahi, avahiMissing, avahiStopped, busStopped, avahiSilent, avahiInterface, publishingDenied, avahiUnusable
        case avahiDenied, avahiFull, avahiSetting, avahiUnaware, busDenied, multicastLost, multicast, multicastOff,
            multicastBlocked, phonesBlocked, phonePortTaken

        case firewallActive, noFirewall, outgoingBlocked, answersBlocked, incomingBlocked

        case noPeers, peerReached, portBlocked, answersKept, answersLost, noWayBack, portRefused, addressTaken,
            clientIsolation
        case signInPage, encryptionBlocked, onlyWebPorts, peerGone, otherSubnet, noRoute, peerSilent, packetsLost
        case otherProgram, otherKey, ownAddress, unknownHost, otherDirection

        case clock, clockBehind, clockDiffers

        case space, openToOthers, diskFull, diskLow, readOnly, noPermission

        /// What findings with the code are about.
        package var subject: Subject {
            switch self {
            case .address, .noInterface, .radioOff, .interfaceDown, .noCarrier, .noAddress, .networkingOff,
                .tunnelTakesNetwork, .containersTakeNetwork, .tunnelActive, .tunnelBlocks, .routeRefused,
                .cardTakesNetwork, .sharedAddress, .duplicateAddress, .hotspot:
                .network
            case .avahi, .avahiMissing, .avahiStopped, .busStopped, .avahiSilent, .avahiInterface, .publishingDenied,
                .avahiUnusable, .avahiDenied, .avahiFull, .avahiSetting, .avahiUnaware, .busDenied, .multicastLost,
                .multicast, .multicastOff, .multicastBlocked, .phonesBlocked, .phonePortTaken:
                .discovery
            case .firewallActive, .noFirewall, .outgoingBlocked, .answersBlocked, .incomingBlocked: .firewall
            case .noPeers, .peerReached, .portBlocked, .answersKept, .answersLost, .noWayBack, .portRefused,
                .addressTaken,
                .clientIsolation, .signInPage, .encryptionBlocked, .onlyWebPorts, .peerGone, .otherSubnet, .noRoute,
                .peerSilent, .packetsLost, .otherProgram, .otherKey, .ownAddress, .unknownHost, .otherDirection:
                .peers
            case .clock, .clockBehind, .clockDiffers: .clock
            case .space, .openToOthers, .diskFull, .diskLow, .readOnly, .noPermission: .storage
            }
        }
    }
}

extension Finding.Kind {
    /// The name of what was found, for programs.
    package var code: Finding.Code {
        switch self {
        case .address: .address
        case .noInterface: .noInterface
        case .radioOff: .radioOff
        case .interfaceDown: .interfaceDown
        case .noCarrier: .noCarrier
        case .noAddress: .noAddress
        case .networkingOff: .networkingOff
        case .tunnelTakesNetwork: .tunnelTakesNetwork
        case .containersTakeNetwork: .containersTakeNetwork
        case .tunnelActive: .tunnelActive
        case .tunnelBlocks: .tunnelBlocks
        case .routeRefused: .routeRefused
        case .cardTakesNetwork: .cardTakesNetwork
        case .sharedAddress: .sharedAddress
        case .duplicateAddress: .duplicateAddress
        case .ownNetwork: .hotspot
        case .avahi: .avahi
        case .avahiTrouble(let trouble): trouble.code
        case .multicastLost: .multicastLost
        case .multicast: .multicast
        case .multicastOff: .multicastOff
        case .multicastBlocked: .multicastBlocked
        case .phonesBlocked: .phonesBlocked
        case .phonePortTaken: .phonePortTaken
        case .firewallActive: .firewallActive
        case .noFirewall: .noFirewall
        case .outgoingBlocked: .outgoingBlocked
        case .answersBlocked: .answersBlocked
        case .noPeers: .noPeers
        case .peerReached: .peerReached
        case .portBlocked: .portBlocked
        case .answersKept: .answersKept
        case .answersLost: .answersLost
        case .incomingBlocked: .incomingBlocked
        case .noWayBack: .noWayBack
        case .portRefused: .portRefused
        case .addressTaken: .addressTaken
        case .clientIsolation: .clientIsolation
        case .signInPage: .signInPage
        case .encryptionBlocked: .encryptionBlocked
        case .onlyWebPorts: .onlyWebPorts
        case .peerGone: .peerGone
        case .otherSubnet: .otherSubnet
        case .noRoute: .noRoute
        case .behindRouter, .peerSilent: .peerSilent
        case .packetsLost: .packetsLost
        case .otherProgram: .otherProgram
        case .otherKey: .otherKey
        case .ownAddress: .ownAddress
        case .unknownHost: .unknownHost
        case .otherDirection: .otherDirection
        case .clock: .clock
        case .clockBehind: .clockBehind
        case .clockDiffers: .clockDiffers
        case .space: .space
        case .openToOthers: .openToOthers
        case .diskFull: .diskFull
        case .diskLow: .diskLow
        case .readOnly: .readOnly
        case .noPermission: .noPermission
        }
    }
}
