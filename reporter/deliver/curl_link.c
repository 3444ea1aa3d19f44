#include "reporter/deliver/curl_link.h"

#include "lib/base/banned.h"

enum post_link curl_link_of(CURLcode code, bool connected)
{
	switch ((int)code) {
	case CURLE_OK:
		return LINK_OK;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
#if LIBCURL_VERSION_NUM >= 0x074900
	case CURLE_PROXY:
#endif
		return LINK_UNREACHABLE;
	case CURLE_OPERATION_TIMEDOUT:
		return connected ? LINK_BROKEN : LINK_UNREACHABLE;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_ENGINE_NOTFOUND:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_USE_SSL_FAILED:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CRL_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return LINK_TLS;
	default:
		return LINK_BROKEN;
	}
}

bool curl_is_early_refusal(CURLcode code, int status)
{
	return status >= 400 &&
	       (code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_PARTIAL_FILE);
}
