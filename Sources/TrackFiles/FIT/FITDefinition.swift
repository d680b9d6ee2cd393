/// How the data messages of a local type are laid out.
struct FITDefinition {
    /// A field of a message.
    struct Field {
        var number: UInt8
        var size: Int
        var type: UInt8
    }

    /// The number of the kind of message.
    var message: UInt16
    var isBigEndian: Bool
    var fields: [Field]
    /// The number of bytes of fields that an application has added; their meaning is in the file, and not read.
    var developerLength: Int

    /// The number of bytes of a data message.
    var length: Int { fields.reduce(developerLength) { $0 + $1.size } }
}
