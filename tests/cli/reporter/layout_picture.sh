# The picture of docs/explanation/layout.md is what its figures give.
. "$(dirname "$0")/../../lib.sh"
PICTURE=$BUILD/helpers/picture
DOCS=$ROOT/docs/explanation

"$PICTURE" <"$DOCS/layout.csv" >"$T/svg" 2>"$T/err" || cat "$T/err"
check 'the picture is that of its figures' cmp "$T/svg" "$DOCS/layout.svg"
is 'of 32 copies and 32 layouts' "$(grep -c '^copy,' "$DOCS/layout.csv") $(grep -c '^layout,' "$DOCS/layout.csv")" '32 32'
echo 'copy;5' >"$T/wrong"
runs 2 'what is no figure is refused' sh -c '"$1" <"$2"' sh "$PICTURE" "$T/wrong"
