/// What a photo says beside its picture.
package struct PhotoDetails: OptionSet, Hashable, Sendable {
    /// The camera or phone.
    package static let camera = PhotoDetails(rawValue: 1)
    package static let place = PhotoDetails(rawValue: 2)
    package static let time = PhotoDetails(rawValue: 4)

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Finds details in XMP, which is XML.
    init(xmp bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        self = []
        if text.contains("GPSLatitude") { insert(.place) }
        if ["CreateDate", "DateTimeOriginal", "DateCreated", "ModifyDate"].contains(where: text.contains) {
            insert(.time)
        }
        if ["tiff:Make", "tiff:Model"].contains(where: text.contains) { insert(.camera) }
    }
}
