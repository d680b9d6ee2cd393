import RegionSharing
import Testing

@testable import PhoneSharing

/// Which phones a name from the command line means.
@Suite struct WantedPhonesTests {
    static func phone(
        _ number: Int,
        _ name: String,
        _ recognition: LocalSendPhone.Recognition = .new
    ) -> LocalSendPhone {
        LocalSendPhone(
            number: number,
            name: name,
            recognition: recognition,
            address: "10.0.0.\(number)",
            fingerprint: String(repeating: "\(number % 10)", count: 64)
        )
    }

    @Test func aPhoneIsFoundOnceByItsWholeName() {
        var wanted = WantedPhones(["Anna", "anna", "Ben"])
        #expect(wanted.names == ["Anna", "Ben"])
        #expect(wanted.found([Self.phone(1, "Anna's phone"), Self.phone(2, "Ann")]) == [])
        #expect(wanted.states == [.missing, .missing] && !wanted.areFound)
        let anna = Self.phone(3, "ANNA")
        #expect(wanted.found([anna]) == [anna])
        #expect(wanted.found([anna]) == [])
        #expect(wanted.found([]) == [] && wanted.found([anna]) == [])
        let ben = Self.phone(4, "Ben", .confirmed)
        #expect(wanted.found([ben, anna]) == [ben] && wanted.areFound)
    }

    /// Phones write other apostrophes than keyboards of laptops.
    @Test func spellingsThatLookAlikeAreOneName() {
        var wanted = WantedPhones(["anna's  phone", "ANNA’S PHONE"])
        #expect(wanted.names == ["anna's  phone"])
        #expect(wanted.found([Self.phone(1, "Anna’s phone")]).map(\.number) == [1])
    }

    @Test func ofTwoThatClaimANameNoneIsMeant() {
        var wanted = WantedPhones(["Anna"])
        #expect(wanted.found([Self.phone(1, "Anna"), Self.phone(2, "anna")]) == [])
        #expect(wanted.states == [.ambiguous])
        #expect(wanted.found([Self.phone(2, "anna")]).map(\.number) == [2])
    }

    @Test func theConfirmedPhoneIsMeantWhoeverElseClaimsItsName() {
        var wanted = WantedPhones(["Anna"])
        let all = [Self.phone(1, "Anna", .changed), Self.phone(2, "Anna"), Self.phone(3, "Anna", .confirmed)]
        #expect(wanted.found(all).map(\.number) == [3])
    }

    /// A stranger must not get the file of a phone that is away.
    @Test func anotherDeviceThanTheConfirmedOneIsNeverMeant() {
        var wanted = WantedPhones(["Anna"])
        #expect(wanted.found([Self.phone(1, "Anna", .changed)]) == [] && wanted.states == [.changed])
        #expect(wanted.found([Self.phone(1, "Anna", .changed), Self.phone(2, "Anna")]) == [])
        #expect(wanted.states == [.changed])
        #expect(wanted.found([Self.phone(3, "Anna", .confirmed)]).map(\.number) == [3])
    }

    /// A phone that got another name here is still found by the one that its screen shows.
    @Test func theNameThatAPhoneShowsFindsItToo() {
        var anna = Self.phone(1, "Anna's phone", .confirmed)
        anna.claimedName = "Anna"
        var wanted = WantedPhones(["anna"])
        #expect(wanted.found([Self.phone(2, "Anna", .changed)]) == [])
        #expect(wanted.found([anna, Self.phone(2, "Anna", .changed)]) == [anna])
    }
}
