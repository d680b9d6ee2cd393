import CAvahi
import Testing

@testable import Avahi

@Suite struct AvahiErrorTests {
    @Test(arguments: [
        (AVAHI_ERR_FAILURE, AvahiError.Code.failure),
        (AVAHI_ERR_BAD_STATE, .failure),
        (AVAHI_ERR_INVALID_HOST_NAME, .invalidHostName),
        (AVAHI_ERR_INVALID_DOMAIN_NAME, .invalidHostName),
        (AVAHI_ERR_NO_NETWORK, .noNetwork),
        (AVAHI_ERR_COLLISION, .collision),
        (AVAHI_ERR_INVALID_RECORD, .invalidService),
        (AVAHI_ERR_INVALID_SERVICE_NAME, .invalidService),
        (AVAHI_ERR_INVALID_SERVICE_TYPE, .invalidServiceType),
        (AVAHI_ERR_INVALID_PORT, .invalidService),
        (AVAHI_ERR_INVALID_INTERFACE, .invalidService),
        (AVAHI_ERR_TIMEOUT, .timedOut),
        (AVAHI_ERR_TOO_MANY_CLIENTS, .tooManyObjects),
        (AVAHI_ERR_TOO_MANY_OBJECTS, .tooManyObjects),
        (AVAHI_ERR_TOO_MANY_ENTRIES, .tooManyObjects),
        (AVAHI_ERR_ACCESS_DENIED, .accessDenied),
        (AVAHI_ERR_NOT_PERMITTED, .accessDenied),
        (AVAHI_ERR_DBUS_ERROR, .busUnavailable),
        (AVAHI_ERR_DISCONNECTED, .daemonUnavailable),
        (AVAHI_ERR_NO_DAEMON, .daemonUnavailable),
        (AVAHI_ERR_INVALID_SERVICE_SUBTYPE, .invalidServiceType),
        (AVAHI_ERR_NOT_SUPPORTED, .notSupported),
        (AVAHI_ERR_VERSION_MISMATCH, .notSupported),
    ])
    func translatesNumber(_ number: Int, into code: AvahiError.Code) {
        let error = AvahiError.translating(Int32(number))
        #expect(error.code == code)
        #expect(error.avahiCode == Int32(number))
    }

    @Test func saysSomethingAboutEveryNumber() {
        for number in AVAHI_ERR_MAX..<AVAHI_OK {
            let error = AvahiError.translating(Int32(number))
            #expect(!error.message.isEmpty && error.message.hasSuffix("."), "\(number)")
        }
    }

    @Test func namesTheLimitThatIsReached() {
        let full = AvahiError.translating(Int32(AVAHI_ERR_TOO_MANY_CLIENTS))
        #expect(full.reachedLimit == "clients-max")
        #expect(full.remedy?.contains("clients-max") == true)
        #expect(AvahiError.translating(Int32(AVAHI_ERR_TOO_MANY_OBJECTS)).reachedLimit == "objects-per-client-max")
        #expect(AvahiError.translating(Int32(AVAHI_ERR_TOO_MANY_ENTRIES)).reachedLimit == "entries-per-entry-group-max")
        #expect(AvahiError.translating(Int32(AVAHI_ERR_COLLISION)).reachedLimit == nil)
        #expect(AvahiError.noAnswer().reachedLimit == nil)
    }

    @Test func toleratesNumbersThatDoNotExist() {
        for number in [Int32.min, -1000, 0, 1, Int32.max] {
            #expect(AvahiError.translating(number).code == .failure)
        }
    }

    @Test func takesMissingDaemonForMissingBusWhereAvahiMeansThat() {
        #expect(AvahiError.translatingClientCreation(Int32(AVAHI_ERR_NO_DAEMON)).code == .busUnavailable)
        #expect(AvahiError.translatingClientCreation(Int32(AVAHI_ERR_ACCESS_DENIED)).code == .accessDenied)
    }

    @Test func namesTheRemedy() {
        let stopped = AvahiError.daemonUnavailable(isRunning: false)
        #expect(stopped.remedy?.contains("sudo systemctl start avahi-daemon") == true)
        // Neither a start nor a new start helps if the bus does not let the program reach it.
        let unreached = AvahiError.daemonUnavailable(isRunning: true)
        #expect(unreached.code == .daemonUnavailable && unreached.remedy == nil)
        #expect(unreached.message.contains("is running"))
        #expect(
            AvahiError(.collision, "Taken.", remedy: "Choose another.").description
                == "collision: Taken. Choose another."
        )
    }
}
