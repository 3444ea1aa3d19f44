# A static site from the store: an index, a page for each benchmark, the newest result. Every link
# leads to a file, names of any bytes stay harmless, nothing runs and nothing is fetched.
. "$(dirname "$0")/../../lib.sh"

new_work_repo "$T/repo"
cd "$T/repo" || exit 1
sed 's/"work"/"<i>work"/' .pawlconfig >c && mv c .pawlconfig
set_work 1000 one
runs 5 'without a result' pawl site "$T/site"
runs 0 'a first result' pawl collect -q
set_work 40000 'forty <b>times</b> the work'
runs 1 'a second one' pawl collect -q
runs 0 'the site' pawl site "$T/site/deep"
is 'says where it is' "$(cat "$T/out")" "3 pages: $T/site/deep/index.html"
cd "$T/site/deep" || exit 1
is 'it is these files' "$(ls)" 'b-_3Ci_3Ework_2Fchain.html
index.html
newest.html'
like 'the index names the benchmark, harmless' index.html '>&lt;i&gt;work/chain</a>'
like 'with a picture' index.html '<svg width=.*<path class="line" d="M'
like 'the commit that moved it is marked' index.html 'class="bad-dot"'
like 'and what it did' index.html 'class="regressed">\+'
like 'with its subject' index.html 'forty &lt;b&gt;times&lt;/b&gt; the work'
for page in *.html; do
	unlike "$page: no script" "$page" '<script|javascript:|onload='
	unlike "$page: nothing is fetched" "$page" 'src=|https?://[^w]|url\('
	like "$page: by its policy" "$page" "default-src 'none'"
	sed 's/href="/\n&/g' "$page" | sed -n 's/^href="\([^"#]*\)".*/\1/p' | sort -u >"$T/links"
	while IFS= read -r link; do
		[ -z "$link" ] || check "$page: $link is there" [ -f "$link" ]
	done <"$T/links"
done
like 'its page leads back' b-_3Ci_3Ework_2Fchain.html 'href="index.html"'
like 'so does the newest result' newest.html 'href="index.html"'
like 'which has the distributions' newest.html '<figure tabindex="0">'
like 'a narrow screen scrolls the picture' b-_3Ci_3Ework_2Fchain.html '<div class="wide" role="group" aria-label="Picture of the history" tabindex="0"><svg'
like 'instead of making it smaller than can be read' b-_3Ci_3Ework_2Fchain.html '^svg\{.*min-width:600px'
like 'the page has every commit' b-_3Ci_3Ework_2Fchain.html 'Every commit with a result'
cd "$T/repo" || exit 1
runs 0 'what was accepted' pawl accept HEAD -q --benchmark '<i>work/chain' --because 'worth <it>'
commit_all . 'accept it'
runs 0 'is written anew' pawl site "$T/site/deep"
unlike 'no mark any more' "$T/site/deep/index.html" 'class="bad-dot"'
like 'with its reason' "$T/site/deep/b-_3Ci_3Ework_2Fchain.html" 'accepted: worth &lt;it&gt;'
runs 0 'a page of history has no way back' pawl history '<i>work/chain' --format html
unlike 'of its own' "$T/out" 'index.html'
# a commit that failed altogether was passed over for the one before
echo 'int main(void) { __builtin_trap(); }' >work.c
commit_all . 'crashes at once'
runs 4 'a commit of which all failed' pawl collect -q
runs 0 'has a site' pawl site "$T/site/deep"
like 'it is the newest result' "$T/site/deep/newest.html" '<title>.*crashes at once'
like 'which failed' "$T/site/deep/newest.html" 'class="failed"|>failed<'
runs 2 'a folder is needed' pawl site
runs 5 'one that can be written' pawl site /proc/no
runs 2 'not any number of commits' pawl site "$T/site" --limit none
