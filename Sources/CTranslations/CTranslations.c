#include "CTranslations.h"

// Scripts/words makes this file and the tables of the PO files.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char ca_table[] = {
#embed "Tables/ca.table"
};

static const unsigned char ca_script[] = {
#embed "Tables/ca.json"
};

static const unsigned char de_table[] = {
#embed "Tables/de.table"
};

static const unsigned char de_script[] = {
#embed "Tables/de.json"
};

static const unsigned char es_table[] = {
#embed "Tables/es.table"
};

static const unsigned char es_script[] = {
#embed "Tables/es.json"
};

static const unsigned char fr_table[] = {
#embed "Tables/fr.table"
};

static const unsigned char fr_script[] = {
#embed "Tables/fr.json"
};

static const unsigned char it_table[] = {
#embed "Tables/it.table"
};

static const unsigned char it_script[] = {
#embed "Tables/it.json"
};

static const unsigned char sl_table[] = {
#embed "Tables/sl.table"
};

static const unsigned char sl_script[] = {
#embed "Tables/sl.json"
};

static const CTranslation translations[] = {
    {"ca", ca_table, sizeof ca_table, ca_script, sizeof ca_script},
    {"de", de_table, sizeof de_table, de_script, sizeof de_script},
    {"es", es_table, sizeof es_table, es_script, sizeof es_script},
    {"fr", fr_table, sizeof fr_table, fr_script, sizeof fr_script},
    {"it", it_table, sizeof it_table, it_script, sizeof it_script},
    {"sl", sl_table, sizeof sl_table, sl_script, sizeof sl_script},
};

ptrdiff_t ctranslations_count(void) { return 6; }

const CTranslation *ctranslations_get(ptrdiff_t index) { return &translations[index]; }
