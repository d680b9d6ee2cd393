#ifndef CICUDATA_H
#define CICUDATA_H

#include <stdint.h>

/// An empty file of ICU's data: `MappedData`, `UDataInfo` and `UDataOffsetTOC` of ICU's ucmndata.h and udata.h.
typedef struct {
    uint16_t headerSize;
    uint8_t magic[2];
    uint16_t infoSize;
    uint16_t reserved;
    uint8_t isBigEndian;
    uint8_t charsetFamily;
    uint8_t sizeofUChar;
    uint8_t reservedByte;
    uint8_t dataFormat[4];
    uint8_t formatVersion[4];
    uint8_t dataVersion[4];
    uint8_t padding[8];
    uint32_t count;
    uint32_t entries[3];
} CICUData;

#endif
