import CQREncode
import Glibc

/// libqrencode, which is loaded when the first QR code is wanted: the program runs without it, too.
///
/// The names and types are those of qrencode.h, version 4.
struct QREncodeLibrary: Sendable {
    typealias Encode = @convention(c) (UnsafePointer<CChar>, CInt, QRecLevel) -> UnsafeMutablePointer<QRcode>?
    typealias Free = @convention(c) (UnsafeMutablePointer<QRcode>?) -> Void

    /// Encodes a text of bytes: the text, the smallest version (0 for any), the level of error correction.
    let encode: Encode
    /// Frees what `encode` returned.
    let free: Free

    /// The library of this machine; nil if it is not installed.
    static let installed = QREncodeLibrary("libqrencode.so.4")

    /// Loads a library, which stays loaded; nil if there is none of that name.
    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL),
            let encode = dlsym(handle, "QRcode_encodeString8bit"),
            let free = dlsym(handle, "QRcode_free")
        else { return nil }
        self.encode = unsafeBitCast(encode, to: Encode.self)
        self.free = unsafeBitCast(free, to: Free.self)
    }
}
