/*
 * jwt_seed - two keys and a token of each, made by openssl 3.0.22 through
 * tests/helpers/http/signed.py.
 */
#ifndef PAWL_TESTS_JWT_SEED_H
#define PAWL_TESTS_JWT_SEED_H

static const char seed_keys[] =
	"{\"keys\": [{\"kty\": \"RSA\", \"kid\": \"github-1\", \"use\": \"sig\", \"alg\":"
	" \"RS256\", \"e\": \"AQAB\", \"n\": \"oaFbyS9-F6oJfdc52CMXejmMHicPdpMkKdRMP3DlUQ"
	"qKK_Wc1imqm35lqDuIuf8uitwpCmrdt_oE3B2XwYhoK2Rh67n1BolDJJQXqRCBVP1uJja0-HUDdPZc0Z"
	"5QjIV7n3VkNxj5GPVSGeBCOcH5ZoVxknVjOwiuJPgGzvi74_lpc_PFn9DVLotiHuK1-kRHk4Z5oKIJ3u"
	"TjawzGceyn8TBeCGeGrFQt8qSV6CpI9tdZjZOJAfJKw31JsYRy_1PKCjMpvfBZjkwhHeYabEt6J0Jxqv"
	"d9e33pO5T6F7JbH-gYJXqsOvYNygeKhZF3kKAF2EtnI6BaFzN-BCw4eABdZw\"}, {\"kty\": \"EC\""
	", \"crv\": \"P-256\", \"kid\": \"gitlab-1\", \"x\": \"32R9Y_fOZ9ylIDWRJpf1HO_TXx"
	"5Nj2O4-gwSAsmKuJA\", \"y\": \"zD5o0FdJa31yeJFphsfLSYxfICsx8sHguWhwd1r--yk\"}]}";

static const char seed_rsa[] =
	"eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJSUzI1NiIsICJraWQiOiAiZ2l0aHViLTEifQ.eyJpc3MiOiAia"
	"HR0cHM6Ly90b2tlbi5hY3Rpb25zLmdpdGh1YnVzZXJjb250ZW50LmNvbSIsICJhdWQiOiAiaHR0cHM6L"
	"y9wYXdsLmV4YW1wbGUub3JnIiwgImlhdCI6IDE3OTU0MzY1MjUsICJuYmYiOiAxNzk1NDM2MjI1LCAiZ"
	"XhwIjogMTc5NTQzNzQyNSwgInN1YiI6ICJyZXBvOm1hZGxlci96bGliOnJlZjpyZWZzL2hlYWRzL21ha"
	"W4iLCAicmVwb3NpdG9yeSI6ICJtYWRsZXIvemxpYiIsICJyZXBvc2l0b3J5X2lkIjogIjEyMzQiLCAic"
	"mVmIjogInJlZnMvaGVhZHMvbWFpbiIsICJyZWZfdHlwZSI6ICJicmFuY2giLCAic2hhIjogImFhYWE0N"
	"TY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1NjciLCAiZXZlbnRfbmFtZSI6ICJwdXNoIn0.R"
	"6_0ZX1yOuQUHW2Brag0A5yOn_ZBVVxsGqZKhC1li-4aFax9AutN9_41ykW6FwS63Nhk8Pl2qu3Y65WuV"
	"vr427mtrMyY4TEvEB-5sw4o_vMOynszqD6u835i04_NWxlWoH3UALSn39ctMPJ7zI4lO3B7fQY4I34eN"
	"U7FT0PP1sOQ9UN3Gfo5PF446nv2fPCkMC5_poYqK4k0v1BsYiSZEFFcuGU_Ki01bnFZJK10_UunJb644"
	"usPS-vq4hRZkCXY5EQcM44YCOndKpPgOBk8iyeZjj-akQnPdxJKcSRTvZZOUSKjvHZyThCytrcCKd1g8"
	"JVFIgUl3eL7nESWpI-emA";

static const char seed_point[] =
	"eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJFUzI1NiIsICJraWQiOiAiZ2l0bGFiLTEifQ.eyJpc3MiOiAia"
	"HR0cHM6Ly9naXRsYWIuZXhhbXBsZS5vcmciLCAiYXVkIjogWyJodHRwczovL3Bhd2wuZXhhbXBsZS5vc"
	"mciXSwgImlhdCI6IDE3OTU0MzY1MjUsICJuYmYiOiAxNzk1NDM2NTIwLCAiZXhwIjogMTc5NTQ0MDEyN"
	"SwgInByb2plY3RfcGF0aCI6ICJncm91cC96bGliIiwgInByb2plY3RfaWQiOiAiNzciLCAicmVmIjogI"
	"m1haW4iLCAicmVmX3R5cGUiOiAiYnJhbmNoIiwgInNoYSI6ICJhYWFhNDU2Nzg5YWJjZGVmMDEyMzQ1N"
	"jc4OWFiY2RlZjAxMjM0NTY3IiwgInBpcGVsaW5lX3NvdXJjZSI6ICJwdXNoIn0.wlyvF4YkDZQQMH-BY"
	"LwJuCbEmqVpU2itdNsntAfXgYYxBVe-jAmGaR5s3QAhTuGfa74yCOCfwq8qYrDHOsbXWQ";

/* When they are valid, in seconds. */
#define SEED_NOW_S 1795436525L

#endif
