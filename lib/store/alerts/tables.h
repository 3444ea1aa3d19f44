/*
 * tables - what the ledger keeps of alerts: a step of its schema.
 */
#ifndef PAWL_STORE_ALERTS_TABLES_H
#define PAWL_STORE_ALERTS_TABLES_H

extern const char alerts_tables[];

#endif
