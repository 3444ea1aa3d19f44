. "$(dirname "$0")/lib.sh"
rm -rf /tmp/wt/ct/r; new_work_repo /tmp/wt/ct/r; cd /tmp/wt/ct/r; set_work 1000 one; set_work 3000 two
