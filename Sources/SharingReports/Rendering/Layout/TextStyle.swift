/// The appearance of a part of a text, in a terminal that has colours.
///
/// The raw value has the parameters of the escape sequence that sets the style. (ECMA-48, "SGR".)
package enum TextStyle: String, Sendable {
    /// Something to look at first, such as the digits to compare.
    case strong = "1"
    /// A command to type; its words stay on one line.
    case command = "36"
    /// A danger or an error.
    case alarm = "1;31"
    /// A warning.
    case caution = "33"
    /// A recorded hike in a sketch.
    case hike = "32"
    /// A planned route in a sketch.
    case plannedRoute = "35"
    /// A QR code, whose lines are never broken.
    ///
    /// Of the palette of 256 colours, 16 is black and 231 is white. Themes change only the first sixteen.
    case code = "38;5;16;48;5;231"
}
