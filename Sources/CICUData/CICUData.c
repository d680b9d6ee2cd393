#include "CICUData.h"

#include <stddef.h>

// Removes the data of ICU from the released program: 34 MB of locales, time zones and collations.
//
// GRDB imports all of Foundation, so ICU is part of a program that contains Swift's libraries (Scripts/release). ICU
// refers to its data by this symbol. A linker takes a member of an archive only if the member defines a symbol that is
// still missing. With this definition, it leaves out the member of lib_FoundationICU.a that has the data. ICU has the
// same stub (stubdata.cpp) for programs that load their data from a file.
//
// Without data, these parts of Foundation do not work in the program: locales, time zones with names, calendars other
// than the Gregorian one, date formatters, regular expressions and localized comparisons. The program uses none of
// them: Sources imports FoundationEssentials only, the store has times as seconds, SQLite compares names, and the C
// library knows the time zone of the machine. In .ci/run, suites of EndToEndTests run it. No library depends on
// this target, so applications keep ICU's data.
//
// If a newer Swift names the symbol differently, the program is larger and otherwise the same, and
// Tests/PackageTests/install fails. The symbol is weak, so that the link succeeds even if the data shares a member with
// code. It is hidden, because where ICU is a shared library, as in a debug build, ICU must find its own data.
__attribute__((weak, visibility("hidden"), aligned(16))) const CICUData icudt76_dat = {
    .headerSize = offsetof(CICUData, count),
    .magic = {0xda, 0x27},
    .infoSize = offsetof(CICUData, padding) - offsetof(CICUData, infoSize),
    .isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .sizeofUChar = 2,
    .dataFormat = {'C', 'm', 'n', 'D'},
    .formatVersion = {1},
};

_Static_assert(offsetof(CICUData, count) == 32, "ICU expects the table of contents at a multiple of 16");
