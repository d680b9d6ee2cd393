/// What devices may send, and for how long they are waited for.
///
/// A device is any program in the network: what it says is bounded before it is kept.
package enum LocalSendLimits {
    /// The UDP port of announcements, and the usual TCP port of devices.
    package static let usualPort: UInt16 = 53317
    /// The IPv4 group of announcements.
    ///
    /// It is in 224.0.0.0/24 because some Android devices receive no other groups.
    package static let group = "224.0.0.167"
    /// The protocol version that this side speaks.
    package static let version = "2.2"

    /// The maximum length of an announcement, in bytes: real ones have less than 400.
    package static let announcementLength = 4096
    /// The maximum length of what a device says of itself when it registers, in bytes.
    package static let registrationLength = 4096
    /// The maximum length of a list of files, in bytes.
    ///
    /// LocalSend needs about 300 bytes for a file, so 1,000 files fit three times. A text in a preview must fit, too.
    package static let offerLength = 1 << 20
    /// The maximum length of the answer with tokens, in bytes: 1,000 files need 80,000.
    package static let agreementLength = 128 * 1024

    /// The maximum number of files in a list.
    package static let fileCount = 1000
    /// The maximum length of the name of a file, in bytes: a file system allows 255 for a name, and folders may precede it.
    package static let nameLength = 1000
    /// The maximum length of a text that comes in a list, in bytes.
    ///
    /// A longer one is a file like others: if it is accepted, the phone uploads it.
    package static let textLength = 64 * 1024
    /// The maximum length of what a device calls itself and its model, in bytes.
    package static let aliasLength = 100
    /// The maximum length of ids of files and sessions, and of tokens, in bytes: LocalSend's have 36.
    package static let idLength = 256
    /// The maximum size of a file, in bytes: JSON of other programs has no exact larger numbers.
    package static let fileSize: UInt64 = 1 << 53

    /// How long a person may think about a list of files.
    ///
    /// LocalSend waits for as long as it takes, localsendd for 65 seconds, localsend-cli for 10. A device that no longer waits
    /// closes its connection, which ends the question.
    package static let questionPatience: Duration = .seconds(300)
    /// How long a session lasts in which no bytes arrive: a cable may be out for a while, and a person may retry.
    package static let silence: Duration = .seconds(120)
    /// How many bytes must arrive in that time: a device that sends one byte now and then would keep its session for ever.
    package static let signOfLife: UInt64 = 64 * 1024
    /// How long a device may send nothing of a file before it can begin anew.
    ///
    /// It may have lost its Wi-Fi, and this side cannot tell.
    package static let stall: Duration = .seconds(15)
    /// How long a session lasts at most: 10 GB at 250 kB/s.
    package static let sessionAge: Duration = .seconds(12 * 3600)
    /// How often a device sends a file whose digest is wrong, as in LocalSend.
    package static let attempts = 3
    /// How often a file may begin in a session: its connection may be lost.
    package static let beginnings = 10
    /// How many sessions exist at a time, open questions included.
    package static let sessionCount = 8

    /// How many devices are known at a time: nobody picks from a longer list.
    package static let deviceCount = 64
    /// How many devices are known of one address: several programs of a machine, or its users.
    package static let devicesOfAddress = 4
    /// How many addresses are kept of a device: IPv4 and IPv6, cable and Wi-Fi.
    package static let addressesOfDevice = 4
    /// How long a device is known that is not heard.
    ///
    /// LocalSend announces itself only when it starts or when its person looks for devices. But it answers each announcement of this
    /// machine, so it is heard as often as this machine announces itself.
    package static let absence: Duration = .seconds(100)
    /// The time between two announcements of this machine.
    package static let announcementInterval: Duration = .seconds(30)
    /// The shortest time between two answers to one address.
    ///
    /// LocalSend announces itself three times in 2.6 seconds. A second answer helps where the first was lost.
    package static let answerInterval: Duration = .seconds(1)
    /// How many answers begin in a second, to all addresses: a room of phones fits, and a flood costs no more.
    package static let answersPerSecond = 20
    /// How many datagrams are read in a second from one address.
    package static let datagramsOfAddressPerSecond = 10
    /// How many datagrams are read in a second from all addresses: reading these costs about a hundredth of a core.
    package static let datagramsPerSecond = 200
    /// How many registrations are read in a second from one address: a device needs one now and then.
    package static let registrationsOfAddressPerSecond = 5
    /// How many registrations are read in a second from all addresses.
    package static let registrationsPerSecond = 50
    /// The time after which an address is slow: where a machine is, it answers or refuses at once.
    package static let slowness: Duration = .seconds(1)
    /// How long a slow address is not asked again because of a datagram.
    package static let silentTime: Duration = .seconds(60)
    /// How many slow addresses are kept: as many as are asked in that time.
    package static let silentAddressCount = 1200
    /// How many lists of files are read at a time: in memory, one takes many times its length.
    package static let listsReadAtOnce = 2
}
