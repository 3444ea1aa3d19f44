/*
 * banned - functions that fail to compile, each with a better one beside it.
 *
 * Include it last, in every .c file outside harness/.
 */
#ifndef PAWL_BASE_BANNED_H
#define PAWL_BASE_BANNED_H

/* glibc's fortified headers make a macro of it for compilers other than gcc. */
#undef sprintf

#pragma GCC poison strcpy strcat sprintf vsprintf gets /* snprintf, buf_addf */
#pragma GCC poison atoi atol atoll atof		       /* number_u64, number_double */
#pragma GCC poison localtime ctime asctime gmtime      /* when_iso, gmtime_r */
#pragma GCC poison strtok			       /* words_split */
#pragma GCC poison system popen			       /* proc_capture, child_run */
#pragma GCC poison tmpnam tempnam mktemp	       /* file_write_whole, mkdtemp */
#pragma GCC poison setlocale			       /* numbers stay in the C locale */

#endif
