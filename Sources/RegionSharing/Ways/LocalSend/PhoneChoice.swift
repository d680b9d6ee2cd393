package import FoundationEssentials
package import RegionStore

/// A phone, and what it gets.
package struct PhoneChoice: Hashable, Sendable {
    package var phone: LocalSendPhone
    /// The region of which it gets a file.
    package var region: UUID
    package var kind: DownloadKind

    package init(_ phone: LocalSendPhone, _ region: UUID, _ kind: DownloadKind) {
        (self.phone, self.region, self.kind) = (phone, region, kind)
    }
}
