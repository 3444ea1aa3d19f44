/* lua: a script of tables, strings and calls. */
#include <lauxlib.h>
#include <lualib.h>

#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */
#include "driver.h"

static const char script[] =
	"local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
	"function piece()\n"
	"  local t = {}\n"
	"  for i = 1, 60 do t[i] = (i * 7919) % 61 end\n"
	"  table.sort(t)\n"
	"  local s = {}\n"
	"  for i = 1, 20 do s[#s + 1] = string.format('%d:%s', t[i], ('x'):rep(i)) end\n"
	"  local n = #table.concat(s, ',')\n"
	"  for w in ('the quick brown fox'):gmatch('%a+') do n = n + #w:upper() end\n"
	"  return n + fib(8)\n"
	"end\n";
static lua_State *lua;

static void prepare(void)
{
	lua = luaL_newstate();
	luaL_openlibs(lua);
	if (luaL_dostring(lua, script))
		luaL_error(lua, "the script does not load");
}

static unsigned piece(void)
{
	unsigned n;

	lua_getglobal(lua, "piece");
	lua_call(lua, 0, 1);
	n = (unsigned)lua_tointeger(lua, -1);
	lua_pop(lua, 1);
	return n;
}
