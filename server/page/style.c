/* How the pages look: one sheet, which browsers keep. */
#include "reporter/plot/band.h"
#include "reporter/plot/plot.h"
#include "reporter/text/svg.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

static const char style[] =
	"body{font:15px/1.5 system-ui,sans-serif;max-width:1040px;margin:0 auto;"
	"padding:0 20px 40px;background:#fff;color:#1f2328}\n"
	"header{padding:14px 0;border-bottom:1px solid #d8dee4}\n"
	"header ol,.links{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;"
	"gap:4px 18px}\n"
	"header{display:flex;justify-content:space-between;gap:12px;flex-wrap:wrap}"
	"header li{overflow-wrap:anywhere}"
	"header li+li::before{content:\"/\";margin-right:18px;color:#59636e}header form{margin:0}\n"
	"h1{font-size:26px;margin:22px 0 6px;overflow-wrap:anywhere}"
	"h2{font-size:19px;margin:30px 0 4px}p{margin:8px 0}\n"
	".soft,th,footer{color:#59636e}.soft,footer{font-size:14px}\n"
	".skip{position:absolute;left:-999px;top:0;padding:8px 14px;background:#0969da;color:#fff}"
	".skip:focus{left:12px;z-index:1}\n"
	"a{color:inherit;text-decoration-color:#8c959f;text-underline-offset:3px}"
	":focus-visible{outline:2px solid #0969da;outline-offset:2px}\n"
	"form{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:end;margin:16px 0}"
	"label{display:flex;flex-direction:column;font-size:13px;color:#59636e;max-width:100%}\n"
	"input,select,button{font:inherit;font-size:15px;padding:5px 9px;border:1px solid #8c959f;"
	"border-radius:6px;background:transparent;color:#1f2328;max-width:100%;"
	"box-sizing:border-box;min-height:2.5em}"
	"select option{background:#fff;color:#1f2328}button{cursor:pointer;font-weight:600}"
	"select{max-width:22em}\n"
	"table{border-collapse:collapse;width:100%;font-size:14px;margin:16px 0}"
	"th,td{text-align:left;padding:6px 10px;border-bottom:1px solid #d8dee4}"
	"thead th{font-weight:600;white-space:nowrap}"
	"tbody th{font-weight:400;color:inherit}\n"
	".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
	".name{overflow-wrap:anywhere;min-width:9em}.by{overflow-wrap:anywhere;min-width:15em}"
	".d{white-space:nowrap}code{font:13px ui-monospace,monospace}\n"
	"svg{display:block}.wide{overflow-x:auto}.wide svg{width:100%;min-width:640px;height:auto}"
	".wide svg.fits{min-width:0}.runs svg{max-width:760px}"
	".line{fill:none;stroke:#57606a;stroke-width:1.5}.dot{fill:#57606a}"
	".bad-dot{fill:#cf222e}.good-dot{fill:#1a7f37}\n"
	".regressed,.failed{color:#cf222e;font-weight:600}"
	".improved{color:#1a7f37;font-weight:600}\n"
	".tools{display:flex;align-items:center;flex-wrap:wrap;gap:8px;margin:10px 0}.tools "
	"button{font-size:13px;"
	"font-weight:400}.says{min-height:3em;margin:4px 0}"
	"button:disabled{opacity:.55;cursor:default}"
	"button[aria-pressed=true]{background:#0969da;border-color:#0969da;color:#fff}"
	".pawl-chosen{fill:#0969da;opacity:.2}\n"
	".pager{display:flex;gap:18px}.error{border-left:4px solid #cf222e;padding:4px 14px}\n"
	"footer{margin-top:40px}\n" SVG_LIGHT BAND_LIGHT PLOT_CDF_LIGHT;

/* A compiler need not take all in one piece. */
static const char variants[] =
	"@media (max-width:700px){body{padding:0 12px 30px}table.rows thead{position:absolute;"
	"left:-999px}.rows,.rows tbody{display:block}\n"
	".rows tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid #d8dee4;"
	"padding:8px 0}.rows td,.rows th{border:0;padding:1px 4px}"
	".rows .name{grid-area:1/1}.rows .level{grid-area:1/2}.rows .spark{grid-area:2/1}"
	".rows .tries::before{content:\"tries: \"}.rows .where{grid-area:2/1/3/3}.rows "
	".by{min-width:0}.rows "
	".verdict{grid-area:2/2;text-align:right}.rows "
	".by{grid-area:3/1/4/3}}\n"
	"@media (prefers-color-scheme:dark){\n"
	"body{background:#0d1117;color:#e6edf3}header,th,td,.rows tr{border-color:#30363d}"
	".soft,thead th,label,footer,header li+li::before{color:#9198a1}\n"
	"input,select,button{color:#e6edf3;border-color:#656c76}"
	"select option{background:#161b22;color:#e6edf3}"
	".line{stroke:#9198a1}.dot{fill:#9198a1}.bad-dot{fill:#ff7b72}.good-dot{fill:#56d364}"
	"button[aria-pressed=true]{background:#1f6feb;border-color:#1f6feb}"
	".regressed,.failed{color:#ff7b72}.improved{color:#56d364}.error{border-color:#ff7b72}"
	":focus-visible{outline-color:#58a6ff}\n" SVG_DARK BAND_DARK PLOT_CDF_DARK "}\n";

static const char icon[] =
	"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\"><rect width=\"16\" "
	"height=\"16\" rx=\"3\" fill=\"#0969da\"/><path d=\"M3 11h4l2-6h4\" fill=\"none\" "
	"stroke=\"#fff\" stroke-width=\"2\"/></svg>\n";

int page_style(struct request *r, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	buf_adds(&text, style);
	buf_adds(&text, variants);
	result = buf_check(&text, err) ||
				 frame_asset(r, "text/css; charset=utf-8", buf_str(&text), err)
			 ? -1
			 : 0;
	buf_release(&text);
	return result;
}

int page_icon(struct request *r, struct err *err)
{
	return frame_asset(r, "image/svg+xml", icon, err);
}
