/*
 * tables - what the ledger keeps of alerts: steps of its schema.
 */
#ifndef PAWL_STORE_ALERTS_TABLES_H
#define PAWL_STORE_ALERTS_TABLES_H

extern const char alerts_tables[];
extern const char alerts_quiet[];

#endif
