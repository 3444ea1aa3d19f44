# Row 59: links in place of folders and files below .git/pawl lead nowhere.
# See: tests/unit/lib/store/local/test_store_store_open.c: foreign_database_and_links_are_refused
# See: tests/unit/lib/base/test_base_file.c: a_link_is_replaced_not_followed
# See: tests/cli/cli/state.sh: a link in place of trees is refused
# See: tests/cli/cli/state.sh: nothing was written behind it
