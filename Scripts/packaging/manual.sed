# Corrects the manual pages of swift-argument-parser's generator.
# Names as `man` finds them: hikeshare-import(1), not hikeshare.import(1).
/^\.Dt /s/\./-/2g
/^\.Xr /s/\([a-z]\)\.\([a-z]\)/\1-\2/g
# The index of manual pages wants that name, too, and the synopsis the command as it is typed.
/^\.Nm "/{
h
s/"//g
s/ /-/2g
}
/^\.Nm$/{
x
/./{
p
x
d
}
x
}
# A description has no quotes around it and no period.
/^\.Nd /{
s/\.\{0,1\}"$//
s/"//
}
# An apostrophe at the start of a line would begin a macro.
s/^'/\\\&'/
# Paragraphs are separated by a macro.
s/^$/.Pp/
# Commands and paths are not hyphenated.
s/gdal_translate/\\%&/
s,~/,\\%&,g
