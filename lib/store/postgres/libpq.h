/*
 * libpq - the functions of libpq that are called, in a library that is opened when a store on
 * PostgreSQL is asked for.
 */
#ifndef PAWL_STORE_POSTGRES_LIBPQ_H
#define PAWL_STORE_POSTGRES_LIBPQ_H

#include <libpq-fe.h>

#include "lib/base/err.h"

#define LIBPQ_CALLS(CALL) \
	CALL(clear) \
	CALL(cmdStatus) \
	CALL(cmdTuples) \
	CALL(conninfoFree) \
	CALL(conninfoParse) \
	CALL(connectdbParams) \
	CALL(consumeInput) \
	CALL(enterPipelineMode) \
	CALL(errorMessage) \
	CALL(exec) \
	CALL(exitPipelineMode) \
	CALL(finish) \
	CALL(flush) \
	CALL(freemem) \
	CALL(ftype) \
	CALL(getResult) \
	CALL(getisnull) \
	CALL(getlength) \
	CALL(getvalue) \
	CALL(isBusy) \
	CALL(nfields) \
	CALL(ntuples) \
	CALL(parameterStatus) \
	CALL(pipelineSync) \
	CALL(resultErrorField) \
	CALL(resultErrorMessage) \
	CALL(resultStatus) \
	CALL(sendPrepare) \
	CALL(sendQueryParams) \
	CALL(sendQueryPrepared) \
	CALL(serverVersion) \
	CALL(setNoticeProcessor) CALL(setnonblocking) CALL(socket) CALL(status)

#define LIBPQ_FIELD(name) __typeof__(&PQ##name) name;
struct libpq {
	LIBPQ_CALLS(LIBPQ_FIELD)
};

extern struct libpq pq;

/* Errors: ERR_IO, it is not installed, with the cure. */
int libpq_open(struct err *err);

#endif
