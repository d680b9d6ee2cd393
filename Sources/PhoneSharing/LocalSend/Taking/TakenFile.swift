import RegionSharing
import RegionStore

/// A file that a phone has sent by LocalSend, of which all is here.
struct TakenFile: Sendable {
    var file: UploadedFile
    var sent: PhoneFile
}
